import { defined } from '../text/defined.ts'
import { namesAll, plainWords, stemsOf } from './same-words.ts'
import type { WorkItem } from './work-item.ts'

/** Returns the words of tasks and boxes that are done, unless a list has the same words as open. */
export function doneWords(items: readonly WorkItem[]): Map<string, number> {
  const listed = items.filter(({ kind }) => kind === 'task' || kind === 'box')
  const open = new Set(listed.filter(({ state }) => state !== 'done').map(({ text }) => plainWords(text)))
  return new Map(
    listed
      .filter(({ state, text }) => state === 'done' && !open.has(plainWords(text)))
      .map(({ text, provenAt = -1 }) => [plainWords(text), provenAt]),
  )
}

/** A task of a list, with the stems of its words. */
type Listed = Pick<WorkItem, 'at' | 'state' | 'provenAt'> & { stems: ReadonlySet<string> }

/** Returns the tasks of lists. */
export const listedTasks = (items: readonly WorkItem[]): readonly Listed[] =>
  items.flatMap(({ kind, at, state, provenAt, text }) =>
    kind === 'task' ? [{ at, state, ...defined({ provenAt }), stems: stemsOf(text) }] : [],
  )

/** Returns when a list says that a wish is done: all tasks that were made for it since have their words among its own, and are done. */
export function taskOf(wish: WorkItem, stems: ReadonlySet<string>, tasks: readonly Listed[]): number | undefined {
  const own = tasks.filter((task) => task.at > wish.at && namesAll(task.stems, stems))
  return own.length > 0 && own.every(({ state }) => state === 'done')
    ? Math.max(...own.map(({ provenAt = -1 }) => provenAt))
    : undefined
}

/** Whether what a user calls off is an item: all of its words are in it. One word is enough to name a short item. */
export const isOnly = (words: ReadonlySet<string>, stems: ReadonlySet<string>): boolean =>
  (words.size > 1 || stems.size <= MAX_NAMED_BY_ONE) && [...words].every((word) => stems.has(word))

const MAX_NAMED_BY_ONE = 5

/** An option of a command, or a name in code: no other thing has such a name. */
const OPTION = /^`?(--[a-z][\w-]{2,40}|[a-z]\w{0,40}(?:_\w{1,40}|[A-Z]\w{0,40}))`?$/

/** Whether a phrase is a name that a text has too. */
export function namesOption(phrase: string, text: string): boolean {
  const [, name] = OPTION.exec(phrase.replace(/^(?:the|das|den|die|le|la|el) /i, '').trim()) ?? []
  return name !== undefined && text.split(/[^\w-]+/).includes(name)
}
