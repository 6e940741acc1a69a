import { PROGRESS_ARGUMENT, taskToolKind, type TaskToolKind } from '../files/tools.ts'
import { fieldsOf, firstText, parseJson } from '../session/entry.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { readBoxes } from './boxes.ts'
import { saysCallFailed } from './error-lines.ts'
import { outcomeOf, outputOf, type ToolRun } from './runs.ts'
import { MAX_ITEM_CHARACTERS } from './work-item.ts'

/** A task, as a list of tasks has it. */
type TaskStatus = 'done' | 'open' | 'dropped'

/** A task as a call or its result has it. */
export interface TaskMention {
  /** The id that the tool gave it, if the tool has ids of its own. */
  id?: string
  /** Left out where only the id is known. */
  text?: string
  /** Left out where nothing is said of it. */
  status?: TaskStatus
  /** The status in the words of the tool. */
  word?: string
  /** The issue that it is a part of. */
  parent?: string
}

/** The change of a list of tasks by a call that succeeded. */
export interface TaskChange {
  /** The name of the tool; tools that share a list have one name. */
  list: string
  /** Whether the list has no other tasks than these. */
  isWhole: boolean
  tasks: TaskMention[]
}

/** Returns what a run says of lists of tasks. A call that has failed, was refused or has no result says nothing. */
export function readTaskChanges(run: ToolRun): TaskChange[] {
  const { call } = run
  if (call === undefined || !hasSucceeded(run)) return []
  const kind = taskToolKind(call.name)
  const own = kind === undefined ? undefined : READERS[kind](run, call)
  const progress = fieldsOf(call.arguments)[PROGRESS_ARGUMENT]
  const tasks = typeof progress === 'string' ? tasksOf(progress) : []
  return [
    ...(own === undefined ? [] : [own]),
    ...(tasks.length === 0 ? [] : [{ list: PROGRESS_ARGUMENT, isWhole: true, tasks }]),
  ]
}

/** The results of Cline's tools, which are JSON. */
const UNSUCCESSFUL = /"success":\s?false/

/** Whether a call has a result that says nothing of a failure. */
export function hasSucceeded(run: ToolRun): boolean {
  if (run.result === undefined || outcomeOf(run).kind === 'failed') return false
  const output = outputOf(run).slice(0, MAX_LINE_CHARACTERS).trimStart()
  return !saysCallFailed(output) && !(output.startsWith('{') && UNSUCCESSFUL.test(output))
}

type Reader = (run: ToolRun, call: NonNullable<ToolRun['call']>) => TaskChange | undefined

const READERS: Readonly<Record<TaskToolKind, Reader>> = {
  list: (_, { name, arguments: values }) => wholeList(name, readList(values, true)),
  items: (_, { name, arguments: values }) => wholeList(name, readList(values, false)),
  result: (run, { name }) => wholeList(RESULT_LISTS[name.toLowerCase()] ?? name, readResultList(outputOf(run))),
  create(run, call) {
    const { subject, title } = fieldsOf(call.arguments)
    const [, id] = CREATED.exec(outputOf(run).slice(0, MAX_LINE_CHARACTERS)) ?? []
    const text = textOfTask(subject ?? title)
    if (text === undefined && id === undefined) return undefined
    const task: TaskMention = { ...(id && { id }), ...(text && { text }), status: 'open', word: 'pending' }
    return { list: TASKS, isWhole: false, tasks: [task] }
  },
  update(_, call) {
    const { taskId, subject, status } = fieldsOf(call.arguments)
    if (typeof taskId !== 'string' && typeof taskId !== 'number') return undefined
    const text = textOfTask(subject)
    const task: TaskMention = { id: String(taskId).replace(/^#/, ''), ...(text && { text }), ...readTaskStatus(status) }
    return { list: TASKS, isWhole: false, tasks: [task] }
  },
  show(run) {
    const tasks = outputOf(run).slice(0, MAX_LIST_CHARACTERS).split('\n').flatMap(readShownTask)
    return tasks.length === 0 ? undefined : { list: TASKS, isWhole: false, tasks }
  },
}

/** The name of the list of Claude Code's tools for single tasks. */
const TASKS = 'TaskCreate'

/** Tools that show the list of another one. */
const RESULT_LISTS: Readonly<Record<string, string>> = { todoread: 'todowrite' }

const MAX_TASKS = 200
const MAX_LINE_CHARACTERS = 1000
const MAX_LIST_CHARACTERS = 60_000

/** `Task #3 created successfully: SUBJECT` (Claude Code). */
const CREATED = /^Task #(\w{1,40}) created/

/** `#3 [completed] SUBJECT (owner) [blocked by #2]`, a line of Claude Code's list; `Task #3: SUBJECT` shows one task. */
const SHOWN = /^#(\w{1,40}) \[(\w{1,20})\] (.+)$/
const SHOWN_ALONE = /^Task #(\w{1,40}): (.+)$/

function readShownTask(line: string): TaskMention[] {
  const head = line.slice(0, MAX_LINE_CHARACTERS).trim()
  const [, id, status, shown = ''] = SHOWN.exec(head) ?? []
  if (id !== undefined) {
    const text = textOfTask(withoutBlockers(shown))
    return [{ id, ...(text && { text }), ...readTaskStatus(status) }]
  }
  const [, alone, text] = SHOWN_ALONE.exec(head) ?? []
  return alone === undefined ? [] : [{ id: alone, text: textOfTask(text) ?? '' }]
}

function withoutBlockers(text: string): string {
  const at = text.lastIndexOf(' [blocked by ')
  return at < 0 ? text : text.slice(0, at)
}

const wholeList = (list: string, tasks: TaskMention[] | undefined): TaskChange | undefined =>
  tasks === undefined ? undefined : { list, isWhole: true, tasks }

/**
 * Returns the list among the arguments of a call; an empty one is a list that was cleared.
 * @param isKnown whether the tool is known to keep a list: then a text may be a check list
 */
function readList(values: unknown, isKnown: boolean): TaskMention[] | undefined {
  const fields = fieldsOf(values)
  // OpenHands shows its list by the same tool.
  if (fields['command'] === 'view') return undefined
  for (const value of Object.values(fields).slice(0, 20)) {
    const isText = isKnown && typeof value === 'string'
    const tasks = Array.isArray(value) ? readItems(value) : isText ? tasksOf(value) : undefined
    if (tasks !== undefined && (tasks.length > 0 || (isKnown && Array.isArray(value)))) return tasks
  }
  return undefined
}

/** Returns the tasks of a list, in which each has a text and a status; undefined for any other list. */
function readItems(list: readonly unknown[]): TaskMention[] | undefined {
  const tasks = list.slice(0, MAX_TASKS).flatMap((item): TaskMention[] => {
    const text = textOfTask(firstText(item, ITEM_TEXTS))
    const status = readTaskStatus(fieldsOf(item)['status'])
    return text === undefined || status.status === undefined ? [] : [{ text, ...status }]
  })
  return tasks.length === Math.min(list.length, MAX_TASKS) ? tasks : undefined
}

const ITEM_TEXTS = ['content', 'step', 'title', 'subject', 'text', 'description', 'task'] as const

/** Returns the list in a result: JSON, or a check list. */
function readResultList(output: string): TaskMention[] | undefined {
  const text = output.slice(0, MAX_LIST_CHARACTERS).trim()
  if (/^todo list (?:cleared|is empty)/i.test(text)) return []
  const list = text.startsWith('[') && !/^\[[ xX]\]/.test(text) ? parseJson(text) : undefined
  if (Array.isArray(list)) return readItems(list)
  const tasks = tasksOf(text, true)
  return tasks.length === 0 ? undefined : tasks
}

/** oh-my-pi writes the state of a task after it. */
const DROPPED = / \(dropped\)$/
const STATE = / \((?:in progress|dropped|blocked(?:: [^()]{1,200})?)\)$/

/**
 * Returns the tasks of a check list.
 * @param isResult whether it is a result of oh-my-pi's tool, in which `[-]` is a dropped task: in Roo's lists it is in progress
 */
const tasksOf = (checkList: string, isResult = false): TaskMention[] =>
  readBoxes(checkList.slice(0, MAX_LIST_CHARACTERS))
    .slice(0, MAX_TASKS)
    .map(({ text, isTicked, isStruck }) => {
      const isDropped = DROPPED.test(text) || (isResult && isStruck === true)
      return {
        text: text.replace(STATE, ''),
        status: isTicked ? 'done' : isDropped ? 'dropped' : 'open',
        word: isTicked ? 'completed' : isDropped ? 'dropped' : 'pending',
      }
    })

const DONE = /^(?:complete[d]?|done|finished|resolved|closed)$/i
const WORDS_DROPPED = /^(?:cancell?ed|abandoned|deleted|removed|skipped|dropped|wont_?do)$/i

/** Returns a status in the words of a tool, and what it means. */
export function readTaskStatus(value: unknown): Pick<TaskMention, 'status' | 'word'> {
  if (typeof value !== 'string' || value === '') return {}
  const word = shorten(oneLine(value), 40)
  return { status: DONE.test(word) ? 'done' : WORDS_DROPPED.test(word) ? 'dropped' : 'open', word }
}

function textOfTask(value: unknown): string | undefined {
  const text = typeof value === 'string' ? shorten(oneLine(value), MAX_ITEM_CHARACTERS) : ''
  return text === '' ? undefined : text
}
