import { lastOfEach } from '../text/last-of-each.ts'
import { taskToolKind } from '../files/tools.ts'
import { toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'
import type { ToolRun } from './runs.ts'
import { plainWords, sharedShare, stemsOf } from './same-words.ts'
import { readTaskChanges, type TaskChange, type TaskMention } from './task-calls.ts'
import { readTrackerChanges } from './tracker-calls.ts'

/** A task of a list, as it was last known. */
export interface ListedTask {
  list: string
  id?: string
  text: string
  /** `gone`: it is in the newest version of its list no more, and was not done before. */
  status: 'done' | 'open' | 'dropped' | 'gone'
  /** The status in the words of the tool. */
  word: string
  /** What an earlier summary says beside it. */
  note?: string
  /** The message that mentions it for the first time, and the one that proves its state: indexes. */
  at: number
  provenAt: number
  /** The last message that has it. */
  seenAt: number
}

const MAX_TASKS = 400

/** A task with this share of the words of another one is the same, in other words. */
const REWORDED_SHARE = 0.6

/** Follows the lists of tasks that tools keep. Only calls that succeeded count. */
export class TaskLists {
  /** The tasks of each list, by their ids or texts. */
  readonly #lists = new Map<string, Map<string, ListedTask>>()
  /** The titles of issues that the agent has looked at, by their ids. */
  readonly #titles = new Map<string, string>()

  /** The issues that those the agent has looked at are made of, by their ids. */
  readonly #parts = new Map<string, TaskMention & { at: number }>()

  /** The titles of tasks from before all messages, by their ids. */
  readonly #known: ReadonlyMap<string, string>

  /**
   * @param earlier tasks of an earlier summary: tools go on with their ids after a compaction
   * @param titles those of tasks whose calls may say no more than their ids
   */
  constructor(earlier: readonly ListedTask[] = [], titles: ReadonlyMap<string, string> = new Map()) {
    this.#known = titles
    for (const task of earlier) this.#open(task.list).set(keyOf(task), task)
  }

  read(run: ToolRun, at: number): void {
    for (const change of readTaskChanges(run)) {
      if (change.isWhole) this.#replace(change, at)
      else
        for (const task of change.tasks) setTask(this.#open(change.list), this.#named(task), { list: change.list, at })
    }
    for (const { list, tasks } of readTrackerChanges(run)) for (const task of tasks) this.#readIssue(list, task, at)
  }

  #named(task: TaskMention): TaskMention {
    const title = task.text ?? this.#known.get(task.id ?? '')
    return title === undefined ? task : { ...task, text: title }
  }

  /** Returns the tasks, those of the list that changed last at the end. */
  tasks(): ListedTask[] {
    return [...this.#lists].flatMap(([list, tasks]) => {
      const parents = new Set(Array.from(tasks.values(), ({ id = '' }) => this.#parts.get(id)?.parent))
      for (const { at, ...part } of this.#parts.values())
        if (parents.has(part.parent) && !tasks.has(keyOf({ text: '', ...part }))) setTask(tasks, part, { list, at })
      return [...tasks.values()]
    })
  }

  /** An issue that the agent only looks at is no task of its own. */
  #readIssue(list: string, task: TaskMention, at: number): void {
    const { id = '', text, status, parent } = task
    if (parent !== undefined && this.#parts.size < MAX_TASKS) this.#parts.set(id, { ...task, at })
    const known = this.#lists.get(list)?.get(keyOf({ id, text: '' }))?.status
    // A list of parts shows which are done; how far the work on an open one is, the agent itself has said.
    const isNews = parent === undefined || (known !== undefined && (known === 'done') !== (status === 'done'))
    if (status === undefined || !isNews) {
      if (text !== undefined && this.#titles.size < MAX_TASKS) this.#titles.set(id, text)
      return
    }
    const tasks = this.#open(list)
    const title = this.#titles.get(id) ?? tasks.get(keyOf({ id, text: '' }))?.text ?? text
    setTask(tasks, { ...task, ...(title && { text: title }) }, { list, at })
  }

  #open(list: string): Map<string, ListedTask> {
    const tasks = this.#lists.get(list) ?? new Map<string, ListedTask>()
    this.#lists.delete(list)
    this.#lists.set(list, tasks)
    return tasks
  }

  /** Sets a whole list. */
  #replace({ list, tasks }: TaskChange, at: number): void {
    const known = this.#open(list)
    // An empty list proves nothing of the tasks that were in it.
    if (tasks.length === 0) return
    const named = new Set(tasks.map((task) => keyOf({ text: '', ...task })))
    const newest = newestOf(known)
    for (const [key, task] of known)
      if (!named.has(key) && task.status === 'open') known.set(key, { ...task, status: 'gone', provenAt: at })
    for (const task of lastOfEach(tasks, (one) => keyOf({ text: '', ...one }))) setTask(known, task, { list, at })
    forgetReworded(known, tasks, at)
    const kept = newest.filter((key) => named.has(key)).length
    const missing = newest.filter((key) => known.get(key)?.status === 'gone')
    // The same plan, edited: the agent took those out. A new plan may share a step such as "Run the tests" with the old one.
    if (kept > missing.length || kept === named.size) for (const key of missing) known.delete(key)
  }
}

/** Returns the titles of the tasks in messages, by the ids that the tool gave them. */
export function findTaskTitles(messages: Iterable<Message>): Map<string, string> {
  const calls = new Map<string, ToolCallBlock>()
  const titles = new Map<string, string>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) if (WITH_IDS.has(taskToolKind(call.name) ?? '')) calls.set(call.id, call)
    const call = message.role === 'toolResult' ? calls.get(message.toolCallId) : undefined
    if (message.role !== 'toolResult' || call === undefined) continue
    for (const { tasks } of readTaskChanges({ call, result: message }))
      for (const { id, text } of tasks) if (id !== undefined && text) titles.set(id, text)
  }
  return titles
}

const WITH_IDS = new Set<string>(['create', 'update', 'show'])

/** Returns the keys of the tasks in the newest version of a list. */
function newestOf(known: ReadonlyMap<string, ListedTask>): string[] {
  const last = Math.max(...Array.from(known.values(), ({ seenAt }) => seenAt))
  return [...known].flatMap(([key, { seenAt }]) => (seenAt === last ? [key] : []))
}

const keyOf = ({ id, text }: Pick<ListedTask, 'id' | 'text'>): string =>
  id === undefined ? plainWords(text) : `#${id}`

function setTask(
  tasks: Map<string, ListedTask>,
  mention: TaskMention,
  { list, at }: { list: string; at: number },
): void {
  const { id, text, status, word } = mention
  const key = keyOf({ text: '', ...mention })
  const before = tasks.get(key)
  if (before === undefined && tasks.size >= MAX_TASKS) return
  const isSame = status === undefined || before?.status === status
  const first = {
    list,
    text: text ?? `Task #${id ?? ''}`,
    status: status ?? 'open',
    word: word ?? 'pending',
    at,
  }
  const named = {
    ...first,
    ...before,
    ...(id && { id }),
    ...(text && { text }),
    ...(status && { status, word: word ?? '' }),
  }
  tasks.delete(key)
  tasks.set(key, { ...named, provenAt: isSame ? (before?.provenAt ?? at) : at, seenAt: at })
}

/** Forgets the tasks that have left a list by this change, where one that is in it now says the same in other words. */
function forgetReworded(known: Map<string, ListedTask>, tasks: readonly TaskMention[], at: number): void {
  const others = tasks.map(({ text = '' }) => stemsOf(text))
  for (const [key, { status, text, provenAt }] of known) {
    if (status !== 'gone' || provenAt !== at) continue
    const stems = stemsOf(text)
    if (others.some((one) => sharedShare(stems, one) >= REWORDED_SHARE)) known.delete(key)
  }
}
