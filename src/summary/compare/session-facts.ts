import { findErrors } from '../../extract/find-errors.ts'
import { isQueryPart, onlyLooks } from '../../extract/exit-status.ts'
import { lastingDemandsIn } from '../../extract/demands.ts'
import { withoutPasted } from '../../extract/pasted.ts'
import { checkedBy } from '../../extract/checked-by.ts'
import {
  commandFilesOf,
  filesOf,
  hasEnded,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type ToolRun,
  type ToolRuns,
} from '../../extract/runs.ts'
import { namesWork } from '../../extract/named-work.ts'
import { newestWordings } from '../../extract/newest-wordings.ts'
import { asksForNothing, readUserText } from '../../extract/user-text.ts'
import type { SessionWork, WorkItem } from '../../extract/work-item.ts'
import { normalizePath } from '../../files/paths.ts'
import { SESSION_FACT_KINDS, type SessionFactKind } from '../../schemas/comparison.ts'
import { toolCallsOf, type Message } from '../../session/message.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { findNumbers } from './find-numbers.ts'

/** A fact that code finds in a part of a session. */
export interface SessionFact {
  kind: SessionFactKind
  /** On one line, shortened. */
  text: string
  /** The part of it by which a summary names it, if that is less: a number, a hash. */
  name?: string
  /** The entries that have it, oldest first. */
  entryIds: string[]
}

/** A part of a session, without secrets. */
interface SessionPart {
  entries: readonly { id: string; message: Message }[]
  runs: ToolRuns
  /** Its indexes are those of the entries; -1 is an earlier summary. */
  work?: SessionWork | undefined
  /** The entry of the earlier summary. */
  previousId?: string | undefined
  /** The entries whose facts are found: indexes; left out for all. The others are read for what came of these. */
  range?: { start: number; end: number }
}

const ALL = { start: 0, end: Infinity }

const MAX_FACTS_OF_KIND = 200
const MAX_FACT_IDS = 20
const MAX_FACT_CHARACTERS = 240

/** Returns the facts of a part of a session that a reader of its summary may need, each once; of each kind the newest 200. */
export function findSessionFacts(part: SessionPart): SessionFact[] {
  const facts = new FactList()
  const ids = new Map(part.entries.map(({ id, message }) => [message, id]))
  addWork(facts, part)
  const { start, end } = part.range ?? ALL
  for (const { id, message } of part.entries.slice(start, end)) {
    for (const demand of lastingDemandsIn(message)) facts.add('demand', demand, id)
    for (const { text, number } of findNumbers(withoutPasted(readUserText(message) ?? '')))
      facts.add('number', text, id, number)
    for (const key of message.role === 'bashExecution' ? [message] : toolCallsOf(message)) {
      const run = part.runs.get(key)
      if (run !== undefined && hasEnded(run)) addRun(facts, run, { call: id, result: ids.get(run.result) ?? id })
    }
  }
  return facts.list()
}

/** Adds requests, open items and commits. */
function addWork(facts: FactList, { work, entries, previousId, range: { start, end } = ALL }: SessionPart): void {
  const isIn = ({ at }: { at: number }): boolean => (at < 0 ? start === 0 : at >= start && at < end)
  const idAt = (at: number): string | undefined => (at < 0 ? previousId : entries[at]?.id)
  for (const item of work?.items.filter(isIn) ?? []) {
    if (item.kind === 'request' && !asksForNothing(item.text)) facts.add('request', item.text, idAt(item.at))
    if (isOpenItem(item)) facts.add('open-item', item.text, idAt(item.provenAt ?? item.at))
  }
  for (const { hash, subject, at } of work?.commits.filter(isIn) ?? [])
    facts.add('commit', `${hash} ${subject}`, idAt(at), hash)
}

/** Whether an item is still to be done at the end. The newest request is open too, and has its own kind. */
const isOpenItem = (item: WorkItem): boolean =>
  item.kind !== 'request' && item.state === 'open' && !item.isOlder && namesWork(item)

/** Adds the commands, errors and files of a run. Looks at something are no work. @param ids the entries of both */
function addRun(facts: FactList, run: ToolRun, { call: id, result }: { call: string; result: string }): void {
  const isLook = run.command !== undefined && onlyLooks(simpleCommandsOf(run))
  if (run.command !== undefined && !isLook) for (const part of namedParts(run)) facts.add('command', part, id)
  if (outcomeOf(run).kind === 'failed') {
    const [error] = isLook ? [] : findErrors(outputOf(run), 1)
    if (error !== undefined && lettersOf(error) >= LEAST_LETTERS) facts.add('error', error, result)
    return
  }
  const { readFiles, modifiedFiles } = filesOf(run)
  const { modified, created, deleted, renamed } = run.command === undefined ? NO_FILES : commandFilesOf(run)
  const changed = [
    ...modifiedFiles,
    ...modified,
    ...created,
    ...deleted,
    ...renamed.flatMap(({ from, to }) => [from, to]),
  ]
  for (const path of changed) facts.addPath('changed-file', path, id)
  for (const path of readFiles) facts.addPath('read-file', path, id)
}

const NO_FILES = { modified: [], created: [], deleted: [], renamed: [] }

/** A shorter error says nothing by itself. */
const LEAST_LETTERS = 12

const lettersOf = (text: string): number => text.replace(/[^\p{L}\p{N}]+/gu, '').length

/** Parts of a command that a summary cannot name: code that an interpreter runs, and commits, which are facts of their own. */
const UNNAMED = / -$|^git (?:commit|add)\b/

const namedParts = (run: ToolRun): string[] =>
  checkedBy(run).parts.filter((text) => !UNNAMED.test(text) && !isQueryPart(text))

/** Facts by their kinds and texts. */
class FactList {
  readonly #byKind = new Map<SessionFactKind, Map<string, SessionFact>>()

  /** @param more its entry, and its name if it has one */
  add(kind: SessionFactKind, text: string, ...[id, name]: [id?: string, name?: string]): void {
    const line = shorten(oneLine(text), MAX_FACT_CHARACTERS)
    if (line === '') return
    const facts = this.#byKind.get(kind) ?? new Map<string, SessionFact>()
    this.#byKind.set(kind, facts)
    const key = name ?? line
    const fact = facts.get(key) ?? { ...defined({ kind, text: line, name }), entryIds: [] }
    // The newest mention counts for the order.
    facts.delete(key)
    facts.set(key, fact)
    if (id !== undefined && fact.entryIds.at(-1) !== id && fact.entryIds.length < MAX_FACT_IDS) fact.entryIds.push(id)
  }

  addPath(kind: SessionFactKind, path: string, id: string): void {
    const file = normalizePath(path)
    // A folder is not a file.
    if (file !== undefined && !/(?:^\.?|\/)$/.test(file)) this.add(kind, file, id)
  }

  /** Returns all facts in the order of their kinds. A changed file was also read, and a demand may have a newer wording. */
  list(): SessionFact[] {
    const of = (kind: SessionFactKind): SessionFact[] => [...(this.#byKind.get(kind)?.values() ?? [])]
    const changed = new Set(of('changed-file').map(({ text }) => text))
    const demands = new Set(newestWordings(of('demand').map(({ text }) => text)))
    return SESSION_FACT_KINDS.flatMap((kind) =>
      of(kind)
        .filter(({ text }) => (kind === 'read-file' ? !changed.has(text) : kind !== 'demand' || demands.has(text)))
        .slice(-MAX_FACTS_OF_KIND),
    )
  }
}
