import type { WorkItem } from '../../extract/work-item.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { FenceReader } from '../../text/close-marks.ts'
import { SENTENCE_END } from '../../text/list-marks.ts'
import { DETAIL } from './describe-details.ts'
import { changeHead } from './ranked-lines.ts'
import { CURRENT, FAULT, NOT_YET, REPORTS_FAILURE, SINCE, UNCOMMITTED, weightOf, withSince } from './stale-words.ts'

/** A path at the beginning of a statement about a file, which may be emphasized. */
const SUBJECT =
  /^(?:[-*+]|\d{1,3}[.)])?\s{0,4}[*`_]{0,3}(?:[Ff]ile )?[*`_]{0,3}([\w@./-]{1,300}\.\w{1,10}|[\w@.-]{1,100}\/[\w@./-]{1,300}|\.\w[\w-]{1,40})/

/** What an earlier compaction has marked. */
const BEFORE = / \(before (\d{1,6}) later changes?\)/

/** Returns a statement with what happened since, in the place of what an earlier compaction has marked. */
export const renewSince = (statement: string, since: string): string =>
  changeHead(statement, (head) => withSince(head.replace(SINCE, ''), since))

/** Returns a statement about a file as one of its earlier state, if the file was changed since: without what was current then. */
export function markState(statement: string, news: WorkNews): string {
  const [, path = ''] = SUBJECT.exec(statement) ?? []
  const count = path === '' ? 0 : news.countOf(path)
  if (path !== '' && news.isDeleted(path)) return markDeleted(statement)
  // A commit, or a check that has passed, changes what is said of a file too.
  if (count === 0) return markSaid(withoutUncommitted(statement, news), news)
  const [head = '', ...lines] = statement.split('\n')
  const total = count + Number(BEFORE.exec(head)?.[1] ?? 0)
  const bare = withoutCurrent(head.replace(BEFORE, ''), true)
  const colon = bare.endsWith(':') ? ':' : ''
  const marked = `${bare.slice(0, bare.length - colon.length)} (before ${total} later change${total === 1 ? '' : 's'})${colon}`
  return [marked, ...withoutCurrentLines(lines)].join('\n')
}

/** Returns a statement without what it says of a file that is not committed, if a later commit has the file; empty if it says no more. */
function withoutUncommitted(statement: string, news: WorkNews): string {
  const [subject = '', path = ''] = SUBJECT.exec(statement) ?? []
  if (path === '' || !UNCOMMITTED.test(statement) || !news.isCommitted(path)) return statement
  const [head = '', ...lines] = statement.split('\n')
  const kept = without(UNCOMMITTED, head.replace(SINCE, ''), true)
  const isBare = !/[\p{L}\p{N}]/u.test(kept.slice(subject.length))
  return isBare && lines.length === 0 ? '' : [kept, ...lines].join('\n')
}

/** Returns what is left of a statement about a file that was deleted since. */
function markDeleted(statement: string): string {
  const [subject = ''] = SUBJECT.exec(statement) ?? []
  const [closing = ''] = /^[*`_]{0,4}/.exec(statement.slice(subject.length)) ?? []
  return `${subject}${closing} (deleted since)`
}

/** Returns a statement that says how things stood as one of that time, if something happened since to what it names. */
export function markSaid(statement: string, news: WorkNews): string {
  const lines = statement.split('\n')
  const fences = new FenceReader()
  return lines
    .map((line) => {
      if (fences.read(line) || !CURRENT.test(line)) return line
      const said = line.replace(SINCE, '')
      const since = news.about(said)
      if (since === undefined) return line
      return withSince(said.replace(/\bCURRENT: /, ''), since)
    })
    .join('\n')
}

/** Whether a sentence only reports a failure that was fixed: files were changed after it, and then a check has passed. */
export const isOverFailure = (sentence: string, at: number, news: WorkNews): boolean =>
  weightOf(sentence) < MIN_FOUND_CHARACTERS && REPORTS_FAILURE.test(sentence) && news.hasPassedChanged(at)

/** Returns a passage without the sentences that only report a failure that was fixed, and with a mark on what is said beside them. */
function withoutOverFailures(passage: string, at: number, news: WorkNews): string {
  const sentences = passage.split(SENTENCE_END)
  const left = sentences.filter((sentence) => !isOverFailure(sentence, at, news))
  return left.length === sentences.length || left.length === 0
    ? left.join(' ')
    : withSince(left.join(' '), 'files changed, and a check passed')
}

/** A shorter sentence about a fault that names nothing says nothing any more once files were changed, and one about uncommitted work once it was committed. */
const MIN_FOUND_CHARACTERS = 110

/**
 * Returns what the agent has said in a turn, without reports of failures that were fixed, and without the short sentences about faults
 * that its answer, which says that the work is done, has left behind.
 */
export function withoutPassedFaults<T extends { text: string; at: number }>(
  said: readonly T[],
  turn: Pick<WorkItem, 'state' | 'provenAt'> | undefined,
  news: WorkNews,
): readonly T[] {
  const left = said.map((one) => ({ ...one, text: withoutOverFailures(one.text, one.at, news) }))
  return turn?.state === 'said' || turn?.state === 'done'
    ? left.filter(({ text, at }) => at >= (turn.provenAt ?? 0) || !isShortFault(text))
    : left
}

const isShortFault = (text: string): boolean =>
  weightOf(text) < MIN_FOUND_CHARACTERS && (FAULT.test(text) || CURRENT.test(text))

/**
 * Returns what the agent found in an open turn, marked if it was about a fault, or about the state of the work, and files were
 * changed since; empty if nothing is left of it.
 */
export function markFound(text: string, news: WorkNews, at: number): string {
  if (!FAULT.test(text) && !CURRENT.test(text)) return text
  const since = news.about(text, at)
  const edits = news.changesAfter(at)
  const isOver = since === undefined ? edits > 0 : ENDS_WORK.test(since)
  if (isOver && weightOf(text) < MIN_FOUND_CHARACTERS) return ''
  const later = since ?? (edits === 0 ? undefined : `${edits} edit${edits === 1 ? '' : 's'}`)
  return later === undefined ? text : withSince(text, later)
}

/** Returns a statement of an earlier summary about open work, with what was found in it as `markFound` writes it if something happened to what it names. */
export function markEarlierWork(statement: string, news: WorkNews): string {
  const [head = '', ...lines] = statement.split('\n')
  const marked = lines.flatMap((line) => {
    if (!line.startsWith(DETAIL) || SINCE.test(line) || news.about(line) === undefined) return [line]
    const text = markFound(line.slice(DETAIL.length), news, -1)
    return text === '' ? [] : [DETAIL + text]
  })
  return [head, ...marked].join('\n')
}

/** What happened to work that is over: it was committed, or its issue was closed. */
const ENDS_WORK = /^(?:commit |\S{1,60} (?:closed|done|completed)(?:$|,))/

/** Whether a sentence says what is not done yet, and somebody has worked on it since: it tells why only of that moment. */
export const isNotYetOver = (text: string, news: WorkNews, at: number): boolean =>
  NOT_YET.test(text) &&
  (news.about(text, at) !== undefined || (weightOf(text) < MIN_FOUND_CHARACTERS && news.changesAfter(at) > 0))

/** Leaves out the lines that say what was current, and the lines that belong to them; code in fences stays. */
function withoutCurrentLines(lines: readonly string[]): string[] {
  const fences = new FenceReader()
  let hidden = Infinity
  return lines.flatMap((line) => {
    if (fences.read(line) || fences.open !== undefined) return hidden < Infinity ? [] : [line]
    const indent = line.length - line.trimStart().length
    if (indent > hidden) return []
    const kept = withoutCurrent(line, false)
    hidden = kept === '' && line.trim() !== '' ? indent : Infinity
    return kept === '' && line.trim() !== '' ? [] : [kept]
  })
}

const withoutCurrent = (line: string, isHead: boolean): string => without(CURRENT, line, isHead)

/** Returns a line without its sentences, and its remarks in parentheses, that have words, such as those for what was current. The path of a head stays. */
function without(over: RegExp, line: string, isHead: boolean): string {
  if (!over.test(line)) return line
  const remarked = line.replace(/ \(([^()]{1,200})\)/g, (whole, remark: string) => {
    const kept = remark.split(/, |; /).filter((part) => !over.test(part))
    return kept.length === 0 ? '' : over.test(remark) ? ` (${kept.join(', ')})` : whole
  })
  if (!over.test(remarked)) return remarked
  const [first = '', ...others] = remarked.split(SENTENCE_END)
  const kept = others.filter((sentence) => !over.test(sentence))
  const path = isHead ? (SUBJECT.exec(first)?.[0] ?? '') : ''
  const rest = first.slice(path.length)
  const [closing = ''] = /^[*`_]{0,4}/.exec(rest) ?? []
  const head = over.test(first)
    ? isHead
      ? `${path}${closing}${kept.length > 0 ? ' -' : ''}`
      : markOf(first, kept)
    : first
  return [head, ...kept].join(' ').trimEnd()
}

/** Returns the list mark of a line whose first sentence is left out, if other sentences stay. */
const markOf = (line: string, kept: readonly string[]): string =>
  kept.length === 0 ? '' : (/^\s*(?:[-*+]|\d{1,3}[.)])?/.exec(line)?.[0] ?? '')
