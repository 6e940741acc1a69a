import type { PairedMessages } from '../../extract/runs.ts'
import { stemsOf } from '../../extract/same-words.ts'
import { takenBackSince, type EarlierCommit, type LaterCommand } from '../../extract/taken-back-since.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { withoutState } from './earlier-work.ts'
import { changeHead } from './ranked-lines.ts'

/** The line of a commit, as extracts write it, with what was done to it since. */
const COMMIT_LINE =
  /^- (?:\[x\] )?(.{1,400}?)( \((?:taken back by|since then:) [^()]{1,200}\))? (\((?:said to be done, )?in commit ([0-9a-f]{7,40})\))$/
const SAID = /; (?:taken back by|since then:) `[^`()]{1,200}`(?=\)$)/

/**
 * Returns the lines of an earlier summary about commits, and about the requests that they were made for, with the command that has taken
 * them back since, or may have. Only what was reverted loses its tick.
 */
export function markTakenBack(done: readonly string[], paired: PairedMessages): string[] {
  const commits = done.flatMap((statement) => readCommit(statement) ?? [])
  const later = takenBackSince(paired, commits)
  if (later.size === 0) return [...done]
  // The line of a request follows those of its commits.
  let before: { subject: string; by: LaterCommand | undefined }[] = []
  return done.map((statement) => {
    const commit = readCommit(statement)
    if (commit !== undefined) {
      const by = later.get(commit.hash)
      before.push({ subject: commit.subject, by })
      return by === undefined ? statement : changeHead(statement, (head) => markCommit(head, by))
    }
    const made = before
    before = []
    const by = made.findLast((one) => one.by !== undefined)?.by
    return by === undefined || !isMarkable(statement)
      ? statement
      : changeHead(statement, (head) => markRequest(head, { ...by, isProven: areReverted(made, head) }))
  })
}

/** Whether a line about a request has its state at its end, and is ticked, or was before its commits were taken back. */
function isMarkable(statement: string): boolean {
  const [head = ''] = statement.split('\n', 1)
  return SAID.test(head) || (head.startsWith('- [x] ') && withoutState(head) !== head)
}

/** Whether all commits before a line were reverted, and have words of it: the line of their own request may be left out. */
function areReverted(made: readonly { subject: string; by: LaterCommand | undefined }[], head: string): boolean {
  const words = stemsOf(head)
  return made.every(({ subject, by }) => by?.isProven === true && [...stemsOf(subject)].some((stem) => words.has(stem)))
}

function readCommit(statement: string): EarlierCommit | undefined {
  const [head = ''] = statement.split('\n', 1)
  const [, subject, note, , hash] = COMMIT_LINE.exec(head) ?? []
  return subject === undefined || hash === undefined ? undefined : { hash, subject, isKnownLast: note === undefined }
}

function markCommit(head: string, by: LaterCommand): string {
  const [, subject = '', , state = '', hash = ''] = COMMIT_LINE.exec(head) ?? []
  if (by.isProven) return `- ${subject} (${noteOf(by)}) (in commit ${hash})`
  return `${head.startsWith('- [x] ') ? '- [x] ' : '- '}${subject} (${noteOf(by)}) ${state}`
}

const markRequest = (head: string, by: LaterCommand): string =>
  head
    .replace(SAID, '')
    .replace(/\)$/, `; ${noteOf(by)})`)
    .replace(/^- \[x\] /, by.isProven ? '- ' : '- [x] ')

const MAX_COMMAND_CHARACTERS = 120

/** Returns what was done to a commit; the state of a line has no parentheses within. */
const noteOf = ({ command, isProven }: LaterCommand): string =>
  `${isProven ? 'taken back by' : 'since then:'} \`${shorten(oneLine(command.replace(/[`()]/g, ' ')), MAX_COMMAND_CHARACTERS)}\``
