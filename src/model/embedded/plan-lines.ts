import { readTaskStatus } from '../../extract/task-calls.ts'
import type { ListedTask } from '../../extract/task-lists.ts'
import { MAY_BE_TICKED } from '../../extract/work-proofs.ts'
import type { WorkItem } from '../../extract/work-item.ts'
import { DETAIL } from './describe-details.ts'
import { RANK, type RankedLine, type Statement } from './ranked-lines.ts'

/** The head of a statement about a list of tasks: which tool keeps it, or which file has it. */
const PLAN = /^- (?:\[x\] )?Plan (?:recorded by|in) `([^`]{1,300})`/

/** A task of such a list, or of several lists. */
const TASK = /^\s*- \[([^\]]{1,40})\] (?:#(\w[\w.-]{0,39}) )?(.{1,300}?)(?: \(`([^`]{1,300})`(?:; ([^()]{1,200}))?\))?$/

/** A list with a path is in a file. */
const nameOf = (source: string): string => `Plan ${/[./]/.test(source) ? 'in' : 'recorded by'} \`${source}\``

/** What a tool has as completed may be open again. */
const writeTask = ({ text, state, word = '', id }: WorkItem): string =>
  `${DETAIL}[${state !== 'done' && statusOf(word) === 'done' ? ' ' : word}] ${id === undefined ? '' : `#${id} `}${text}`

const statusOf = (word: string): ListedTask['status'] =>
  word === 'x' ? 'done' : word.trim() === '' ? 'open' : (readTaskStatus(word).status ?? 'open')

/** Returns statements about lists of tasks: their open items, which are not details and always stay with them. */
export const describePlans = (items: readonly WorkItem[]): Statement[] =>
  bySource(items).map(([source, tasks]) => ({
    head: [`- ${nameOf(source)}, newest version:`, ...tasks.map(writeTask)].join('\n'),
  }))

/** Returns lines about the items of lists that are done. The newest of each list stay as long as the newest turns. */
export const describeFinished = (items: readonly WorkItem[]): RankedLine[] =>
  bySource(items).flatMap(([source, tasks]) => {
    const parent = { text: `- [x] ${nameOf(source)}, what is done:`, rank: RANK.decision }
    const lines = tasks.map((task, index): RankedLine => {
      const line = { text: writeTask(task), rank: RANK.decision, parent }
      return index >= tasks.length - NEWEST_FINISHED
        ? line
        : { ...line, detail: { kind: 'passage', score: FINISHED_SCORE } }
    })
    return [parent, ...lines]
  })

/** Without these short lines, a reader takes the rest of a plan for all of it. */
const NEWEST_FINISHED = 8
const FINISHED_SCORE = 9

/** Returns the line of a task in a list of what was planned earlier. */
export function writePlanned(item: WorkItem): string {
  const { source = '', note } = item
  return `${writeTask(item)} (\`${source}\`${note?.startsWith(MAY_BE_TICKED) === true ? `; ${note}` : ''})`
}

function bySource(items: readonly WorkItem[]): [source: string, items: WorkItem[]][] {
  const sources = new Map<string, WorkItem[]>()
  for (const item of items) {
    const { source = '' } = item
    sources.set(source, [...(sources.get(source) ?? []), item])
  }
  return [...sources]
}

/** Whether a statement is about a list of tasks. */
export const isPlan = (statement: string): boolean => PLAN.test(statement)

/** Returns the tasks of a statement about a list of tasks. */
export function readPlan(statement: string): ListedTask[] {
  const [head = '', ...lines] = statement.split('\n')
  const [, source = ''] = PLAN.exec(head) ?? []
  return lines.flatMap((line) => readPlanned(line, source) ?? [])
}

/** Reads a line that `describePlans` or `writePlanned` has written. @param list that of the statement with the line */
export function readPlanned(line: string, list = ''): ListedTask | undefined {
  const [, word = '', id, text = '', source = list, note] = TASK.exec(line) ?? []
  if (text === '' || source === '') return undefined
  const seenAt = list === '' ? -2 : -1
  const named = { list: source, ...(id && { id }), text, ...(note && { note }) }
  return { ...named, status: statusOf(word), word, at: -1, provenAt: -1, seenAt }
}
