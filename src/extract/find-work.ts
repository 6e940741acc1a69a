import type { Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { BoxFiles } from './box-files.ts'
import type { FileBox } from './file-boxes.ts'
import { findReads } from './find-reads.ts'
import { findPostponed } from './deferred.ts'
import { passKept, readKeptWork, readWorkTurns } from './work-turns.ts'
import { hasEnded, type PairedMessages } from './runs.ts'
import { plainWords } from './same-words.ts'
import { readSteps, type EarlierStep } from './planned-steps.ts'
import { dropClosed } from './refuted-claims.ts'
import { TaskLists, type ListedTask } from './task-lists.ts'
import { leavesParts } from './turn-end.ts'
import { WorkChecks } from './work-checks.ts'
import { followTurn, lastUpTo, openItem, type PostponedWords, type SessionWork, type WorkItem } from './work-item.ts'
import { WorkNews } from './work-news.ts'
import { isUnnamed, openUnnamed } from './unnamed-wishes.ts'
import { markUnticked, MAY_BE_TICKED, UNTICKED, WAS_TICKED, WorkProofs } from './work-proofs.ts'
import { readRequests, withoutEvenWishes } from './work-requests.ts'

/** The work as an earlier summary has it. */
export interface EarlierWork {
  /** Next steps, open and pending work. */
  steps: readonly EarlierStep[]
  /** Those that were not confirmed then are last seen before all messages, at -2. */
  tasks: readonly ListedTask[]
  /** The titles of tasks from before the messages, by their ids. */
  titles?: ReadonlyMap<string, string>
  /** What the user has postponed, at -1. */
  postponed?: readonly PostponedWords[]
}

interface Around {
  earlier?: EarlierWork | undefined
  /** Whether a message of the user follows, or else the rest of the last turn. */
  next?: 'request' | 'rest' | undefined
  /** The messages that follow, and stay beside a summary of these. */
  kept?: readonly Message[]
}

/** Returns the items of work of a session with their states. In doubt, an item is not done. */
export function findWork({ messages, runs }: PairedMessages, { earlier, next, kept = [] }: Around = {}): SessionWork {
  const checks = new WorkChecks(runs.values())
  const tasks = new TaskLists(earlier?.tasks, earlier?.titles)
  const boxes = new BoxFiles()
  for (const [at, message] of messages.entries()) {
    const run = message.role === 'assistant' ? undefined : runs.get(message)
    if (run === undefined || !hasEnded(run)) continue
    tasks.read(run, at)
    boxes.read(run, at)
    if (checks.read(run, at)) boxes.doubt()
  }
  const turns = readWorkTurns(messages, next === 'rest')
  const listed = withoutEarlier([...tasksOf(tasks.tasks()), ...boxes.boxes().map(boxItem)], boxes)
  const proofs = new WorkProofs({ turns, checks, listed })
  const { isAnswered, hasRequest } = readKeptWork(kept)
  const isAnsweredLater = next === 'rest' && isAnswered
  const requests = readRequests(turns, { proofs, isContinued: next === 'request', isAnsweredLater })
  if (earlier !== undefined) passKept(requests, turns)
  const steps = readSteps(messages, earlier?.steps ?? [])
  if (turns[0]?.request === '') followTurn(steps, requests[0])
  const postponed = findPostponed(turns, checks, earlier?.postponed)
  const items = [...requests, ...listed, ...steps]
  proofs.apply(items)
  dropClosed(requests, proofs.tasks)
  leaveParts(requests, postponed, proofs)
  markStale(items, { paired: { messages, runs }, steps: earlier?.steps ?? [] })
  return {
    items: markOlder(openUnnamed(withoutEvenWishes(items, turns), { turns, messages, kept, postponed })),
    failing: checks.runs.failing().map(({ command, passed = [], runs }) => {
      const last = runs.at(-1)
      return { command, at: last?.at ?? -1, passed, ...defined({ tests: last?.tests() }) }
    }),
    commits: markUnticked(checks.commits().slice(-MAX_COMMITS), items),
    reads: findReads({ messages, runs }),
    postponed,
    isInTurn: turns.at(-1)?.goesOn === true && !isAnsweredLater && !hasRequest,
    ...(hasRequest ? { kept: 'request' } : next === 'rest' && kept.length > 0 && !isAnswered ? { kept: 'rest' } : {}),
  }
}

/** Requests of which the user postpones something, or the answer does not claim all, are not done as a whole. */
function leaveParts(requests: readonly WorkItem[], postponed: readonly PostponedWords[], proofs: WorkProofs): void {
  const starts = new Set(postponed.map(({ at }) => at))
  for (const item of requests) {
    if (item.kind !== 'request' || item.state !== 'said') continue
    const turn = proofs.turns[lastUpTo(proofs.turns, item.at)]
    if (turn === undefined) continue
    const isOwn = turn.answer !== undefined && turn.answer.at === item.provenAt
    if (starts.has(turn.at) || (isOwn && leavesParts(turn, proofs))) item.state = 'answered'
  }
}

/** Of older commits, the log of the repository has all that there is to know. */
const MAX_COMMITS = 60

/** The beginning of the note of a step that was worked on since an earlier summary has named it. */
export const SINCE_THEN = 'since then: '

interface Stale {
  paired: PairedMessages
  steps: EarlierWork['steps']
}

/** Marks open steps that were named before the newest request if something has happened since to what they name: they may be done. */
function markStale(items: readonly WorkItem[], { paired, steps }: Stale): void {
  const requests = items.filter(({ kind }) => kind === 'request')
  const newest = requests.at(-1)?.at ?? -1
  const open = items.filter(({ kind, state, at }) => kind === 'step' && state === 'open' && (at < 0 || at < newest))
  if (open.length === 0) return
  const news = new WorkNews(paired)
  const answers = requests.flatMap(({ state, provenAt }) => (state === 'said' ? (provenAt ?? []) : []))
  const wholes = new Map(steps.map((step) => [openItem('step', step.text, -1).text, step]))
  for (const item of open) {
    const step = item.at < 0 ? wholes.get(item.text) : undefined
    if (item.isRequest === true || step?.isRequest === true || isUnnamed(item)) continue
    const text = step?.whole ?? item.text
    const since = news.about(text, item.at)
    if (since === undefined) continue
    const isReported = news.isReported(text, item.at, answers)
    Object.assign(item, { isOlder: true, note: SINCE_THEN + since, ...(isReported && { isReported }) })
  }
}

/** Returns tasks as items. All tasks of a list are as new as the newest mention of one of them. */
function tasksOf(tasks: readonly ListedTask[]): (WorkItem & Seen)[] {
  const seen = new Map<string, number>()
  for (const { list, seenAt } of tasks) seen.set(list, Math.max(seen.get(list) ?? seenAt, seenAt))
  return tasks.map((task) => ({ ...taskItem(task), seenAt: seen.get(task.list) ?? -1 }))
}

/** Returns items without those of an earlier summary that are in a newer list or file too, or are open in a file that has no such box. */
function withoutEarlier(items: (WorkItem & Seen)[], boxes: BoxFiles): (WorkItem & Seen)[] {
  const known = new Set(items.filter(({ at }) => at >= 0).map(({ text }) => plainWords(text)))
  const isClosed = ({ state, source = '' }: WorkItem): boolean => state === 'open' && boxes.hasListed(source)
  return items.filter((item) => item.seenAt >= 0 || (!known.has(plainWords(item.text)) && !isClosed(item)))
}

/** With the last message that mentions it: an index. */
type Seen = Pick<FileBox, 'seenAt'>

function taskItem({ list, id, text, status, word, note, at, provenAt }: ListedTask): WorkItem {
  const item = { ...openItem('task', text, at), provenAt, source: list, word, ...(id && { id }), ...(note && { note }) }
  switch (status) {
    case 'done':
      return { ...item, state: 'done' }
    case 'open':
      return item
    case 'dropped':
      return { ...item, state: 'unknown', note: `${word} in the list` }
    case 'gone':
      return { ...item, state: 'unknown', note: 'left the list without being done' }
  }
}

const boxItem = ({ path, text, isTicked, changedBy, isUnticked, at, provenAt, seenAt }: FileBox): WorkItem & Seen => ({
  ...openItem('box', text, at),
  ...(isTicked === undefined
    ? { state: 'unknown', note: changedBy === undefined ? WAS_TICKED : `${MAY_BE_TICKED} by \`${changedBy}\`` }
    : { state: isTicked ? 'done' : 'open' }),
  ...(isUnticked === true && { note: UNTICKED }),
  provenAt,
  source: path,
  word: isTicked === true ? 'x' : ' ',
  seenAt,
})

/** Marks the items that nothing mentions since the newest request that was answered began. */
function markOlder(items: readonly (WorkItem & Partial<Seen>)[]): WorkItem[] {
  const answered = items.findLast(({ kind, state }) => kind === 'request' && (state === 'said' || state === 'answered'))
  return items.map(({ seenAt, ...item }) => ({
    ...item,
    isOlder: item.isOlder || seenAt === -2 || Math.max(item.at, seenAt ?? -1) < (answered?.at ?? -1),
  }))
}
