import { baseName } from '../files/paths.ts'
import { defined } from '../text/defined.ts'
import type { WorkItem } from './work-item.ts'

/** Words that say little about a step. `said-lines.ts` leaves out other ones: in a demand, `never` and `always` say nothing. */
const EMPTY_WORDS = new Set(
  'a an the to of in on at and or for with from by as is are be it its this that these those into so now then also all any our your my we i you please der die das und ein eine den dem des zu im in mit für von le la les de du des et un une el los las y del en con para por il lo gli e di che per o os as da do'.split(
    ' ',
  ),
)

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./:@#-]*/gu
const MAX_CHARACTERS = 2000

/** Words before a name that say nothing of it. */
const ARTICLE = /(?<![\p{L}\p{N}_'’.-])(?:an?|the|d(?:ie|er|as|en|em)|ein(?:e[nmrs]?)?|l[ae]s?|une?|el|los) /giu

/** Returns a text for comparisons: list marks, boxes, ids, emphasis, quotes, articles, case and white space do not count. */
export const plainWords = (text: string): string => withoutMarks(text).replace(ARTICLE, '')

/** Returns a text in lower case without list marks, boxes, ids, emphasis, quotes and repeated white space. */
export const withoutMarks = (text: string): string =>
  text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/^\[[^\]]{0,20}\]\s*/, '')
    .replace(/^#\w{1,40}\s+/, '')
    .replace(/[*_`"'“”„«»]/g, '')
    .replace(/(?<![.!。;:,])[.!。;:,]+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns the stems of the words that say what a text is about. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const [word] of text.slice(0, MAX_CHARACTERS).toLowerCase().matchAll(WORD)) {
    const bare = word.replace(/(?<![./:@#-])[./:@#-]+$/, '')
    if (bare !== '' && !EMPTY_WORDS.has(bare)) stems.add(stemOf(bare))
  }
  return stems
}

/** Takes off the endings by which English says that something is done: `renamed` and `rename`, `fixes` and `fix`. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const stem = word.replace(/(?:ing|ed|es|s|e)$/, '')
  return stem.length < 3 ? word : stem.replace(/([bdfglmnprt])\1$/, '$1').replace(/[iy]$/, 'i')
}

/** Whether all words of one text are in another one. */
export function areAllIn(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const word of words) if (!others.has(word)) return false
  return true
}

/** Whether all words of one text are in another one, and enough of them to name a thing. */
export const namesAll = (stems: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  stems.size >= 2 && areAllIn(stems, others)

/** Returns how many of the words of one text are in another one, as a share. */
export function sharedShare(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0
  for (const stem of stems) if (others.has(stem)) shared += 1
  return stems.size === 0 ? 0 : shared / stems.size
}

/** Words by which a step says only that something is to be made. */
const MAKING = stemsOf('write add create make implement build finish do')

/** Fewer words do not say which thing is meant. */
const MIN_NAME_WORDS = 3

/**
 * Returns what an item is about, whatever the order of its words: a step that says to write a file, in its folder, has the name of the
 * box for that file. Of few names, the order counts, and what is to be made of them. Empty if that are few words.
 */
export function itemName(text: string): string {
  const stems = [...stemsOf(plainWords(text))]
  const things = stems.filter((stem) => !MAKING.has(stem))
  const names = new Set(things.map((stem) => (/\w\.\w{1,5}$/.test(stem) ? baseName(stem) : stem)))
  if (names.size >= MIN_NAME_WORDS) return `name: ${[...names].sort().join(' ')}`
  return stems.length < MIN_NAME_WORDS ? '' : `words: ${stems.join(' ')}`
}

/** Returns the words and the name by which an item is known. */
export const namesOf = (text: string): string[] => [plainWords(text), itemName(text)].filter((name) => name !== '')

/** Returns the message with which a list says that an item is done, in the same words. @param done by `doneWords` */
export const doneAt = (text: string, done: ReadonlyMap<string, number>): number | undefined =>
  done.get(plainWords(text)) ?? done.get(itemName(text))

/** Returns the words of tasks and boxes that are done, and their names, unless a list has the same words as open. */
export function doneWords(items: readonly WorkItem[]): Map<string, number> {
  const listed = items.filter(({ kind }) => kind === 'task' || kind === 'box')
  const finished = listed.filter(({ state }) => state === 'done')
  const unfinished = listed.filter(({ state }) => state !== 'done')
  const open = new Set(unfinished.flatMap(({ text }) => namesOf(text)))
  const names = finished.flatMap(({ text, provenAt = -1 }) => namesOf(text).map((name) => [name, provenAt] as const))
  return new Map(names.filter(([name]) => !open.has(name)))
}

/** A task of a list, with the stems of its words. */
type Listed = Pick<WorkItem, 'at' | 'state' | 'provenAt'> & { stems: ReadonlySet<string> }

/** Returns the tasks of lists. */
export const listedTasks = (items: readonly WorkItem[]): readonly Listed[] =>
  items.flatMap(({ kind, at, state, provenAt, text }) =>
    kind === 'task' ? [{ at, state, ...defined({ provenAt }), stems: stemsOf(text) }] : [],
  )

/** A task with this share of the words of a wish is about it. */
const WISH_SHARE = 0.6

/** Returns when a list says that a wish is done: all tasks that were made for it since have its words or only such, and are done. */
export function taskOf(wish: WorkItem, stems: ReadonlySet<string>, tasks: readonly Listed[]): number | undefined {
  const isOwn = (task: Listed): boolean => namesAll(task.stems, stems) || sharedShare(stems, task.stems) >= WISH_SHARE
  const own = tasks.filter((task) => task.at > wish.at && isOwn(task))
  return own.length > 0 && own.every(({ state }) => state === 'done')
    ? Math.max(...own.map(({ provenAt = -1 }) => provenAt))
    : undefined
}

/** Whether what a user calls off is an item: all of its words are in it. One word is enough to name a short item. */
export const isOnly = (words: ReadonlySet<string>, stems: ReadonlySet<string>): boolean =>
  (words.size > 1 || stems.size <= MAX_NAMED_BY_ONE) && areAllIn(words, stems)

const MAX_NAMED_BY_ONE = 5

/** What a step says of its action beside the object. */
const ACTION_REST = / (?:to|via|after|once|when|before|as soon as) | \(/i

/** Words by which a step may say more than one action. */
const MORE_ACTIONS = /[,;。]|[.!:] |(?<![\p{L}])(?:and|then|or|plus|und|dann|oder)(?![\p{L}])|&/iu

/** A thing whose name is enough to know it. */
const NAMED = /[\d_]|\w[-.]\w|[a-z][A-Z]/
const KINDS = stemsOf('branch version release tag flag')

/** Whether an action is all that a text says to do: with the same verb, and the same object. */
export function isActionOf(action: string, text: string): boolean {
  if (MORE_ACTIONS.test(text)) return false
  const words = [...stemsOf(action)].join(' ')
  return [text, text.split(ACTION_REST, 1)[0] ?? ''].some((whole) => {
    const stems = [...stemsOf(plainWords(whole))]
    const isSame = words === stems.join(' ')
    const isNamed = NAMED.test(action) && words === stems.filter((stem) => !KINDS.has(stem)).join(' ')
    return stems.length > 1 && words.includes(' ') && (isSame || isNamed)
  })
}

/** An option of a command, or a name in code: no other thing has such a name. */
const OPTION = /^`?(--[a-z][\w-]{2,40}|[a-z]\w{0,40}(?:_\w{1,40}|[A-Z]\w{0,40}))`?$/

/** Whether a phrase is a name that a text has too. */
export function namesOption(phrase: string, text: string): boolean {
  const [, name] = OPTION.exec(phrase.replace(/^(?:the|das|den|die|le|la|el) /i, '').trim()) ?? []
  return name !== undefined && text.split(/[^\w-]+/).includes(name)
}

/** The id of an issue, such as `app-12.3` or `APP-12`, with which a step begins: it is about all of the issue. */
const ID =
  /^[*_`\s]{0,4}(?:(?:close|finish|work on|continue(?: with)?|do|start|implement) )?[*_`]{0,3}([A-Za-z]\w{0,40}-\w{1,40}(?:\.\d{1,4})?)(?![\w/-])/i

/** Returns the id of the issue that a step is about. */
export const issueOf = (text: string): string | undefined => ID.exec(text)?.[1]

/** Returns the tasks that are done, by their ids; an id of a few digits may be in any text. */
export const doneIds = (items: readonly WorkItem[]): ReadonlyMap<string, WorkItem> =>
  new Map(
    items
      .filter(({ kind, state, id }) => kind === 'task' && state === 'done' && id !== undefined && issueOf(id) === id)
      .map((item) => [item.id ?? '', item]),
  )
