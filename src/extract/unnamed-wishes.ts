import { baseName } from '../files/paths.ts'
import { textOf, toolCallsOf, type Message } from '../session/message.ts'
import { isOrder } from './deferred.ts'
import { findLastingDemands } from './demands.ts'
import { withoutPasted } from './pasted.ts'
import { findSentences } from './statements.ts'
import { asksForNothing, QUESTION_AT_END } from './user-text.ts'
import { listedWishes, withoutItems, type ListedWish } from './listed-wishes.ts'
import { isUnwanted } from './wishes.ts'
import { lastUpTo, quoteUser, wishItem, type PostponedWords, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/**
 * Items and sentences of a request that name a file which an agent has named in no word and no call since: whatever it claims of the
 * request, they are not done. A wish without a file may be done in other words.
 */

/** The beginning of the note of such a wish. Whether its words ask for something, no words tell: they are quoted. */
const UNNAMED = "the user's words; the agent has not named "

/** Whether an item is such a wish. */
export const isUnnamed = ({ note }: Pick<WorkItem, 'note'>): boolean => note?.startsWith(UNNAMED) === true

interface Said {
  turns: readonly WorkTurn[]
  messages: readonly Message[]
  /** The messages that stay. */
  kept: readonly Message[]
  postponed: readonly PostponedWords[]
}

/** Returns items in which the wishes that the agent does not name are open, and their requests are not said to be done as a whole. */
export function openUnnamed(items: readonly WorkItem[], { turns, messages, kept, postponed }: Said): WorkItem[] {
  const isPostponed = ({ text }: FileWish): boolean => postponed.some((one) => one.words.includes(text))
  const asked = turns.map(({ at, request }) => ({
    at,
    wishes: fileWishes(request).filter((wish) => !isPostponed(wish)),
  }))
  // Most sessions have none, and their messages need not be read.
  if (asked.every(({ wishes }) => wishes.length === 0) && !items.some(isUnnamed)) return [...items]
  const names = new NamedFiles([...messages, ...kept])
  const earlier = items.flatMap((item) => (isUnnamed(item) ? followEarlier(item, names, turns) : item))
  const lacking = new Map(
    asked.map(({ at, wishes }) => [
      at,
      wishes.flatMap((wish): WorkItem[] => {
        const file = wish.files.find((one) => names.lacks(one.toLowerCase(), at))
        if (file === undefined) return []
        const since = saidOfFiles(wish.files, turns.slice(lastUpTo(turns, at) + 1))
        return [{ ...wishItem(wish, at), note: `${UNNAMED}${file} since`, since }]
      }),
    ]),
  )
  const settled = new Set(items.flatMap((item) => (item.kind === 'request' && isSettled(item) ? [item.at] : [])))
  const done = new Set(
    items.flatMap(({ kind, state, at, text }) => (kind === 'wish' && state === 'done' ? [`${at} ${text}`] : [])),
  )
  return earlier.flatMap((item): WorkItem[] => {
    const wishes = settled.has(item.at)
      ? (lacking.get(item.at) ?? []).filter(({ text }) => !done.has(`${item.at} ${text}`))
      : []
    if (item.kind === 'wish' && isSettled(item)) return wishes.some(({ text }) => text === item.text) ? [] : [item]
    if (item.kind !== 'request' || wishes.length === 0) return [item]
    return [{ ...item, state: item.state === 'said' ? 'answered' : item.state }, ...wishes]
  })
}

/** Returns a wish of an earlier summary with what the user says of its file since, unless the agent names that. */
function followEarlier(item: WorkItem, names: NamedFiles, turns: readonly WorkTurn[]): WorkItem[] {
  const [, file = ''] = FILE_OF_NOTE.exec(item.note ?? '') ?? []
  if (!names.lacks(file.toLowerCase(), -1)) return []
  return [{ ...item, since: saidOfFiles([file], turns, false) }]
}

const FILE_OF_NOTE = new RegExp(`^${UNNAMED}(\\S+) since`)

const isSettled = ({ state }: WorkItem): boolean => state === 'said' || state === 'answered' || state === 'unknown'

interface FileWish extends ListedWish {
  /** The files that it names. */
  files: readonly string[]
}

/** Returns the items and sentences of a request that may ask for something with a file. */
function fileWishes(request: string): FileWish[] {
  const listed = listedWishes(request)
  const isWish = ({ text, lead }: ListedWish): boolean =>
    (listed.length > 0 ? !QUESTION_AT_END.test(lead) : isOrder(text)) &&
    !isUnwanted(text) &&
    findLastingDemands(`${lead} ${text}`).length === 0
  const sentences = listed.length > 0 ? [] : findSentences(withoutPasted(withoutItems(request)))
  return [...listed, ...sentences.map((text) => ({ text, lead: '' }))].flatMap((wish) => {
    const files = wordsOf(wish.text).filter((word) => FILE.test(word.toLowerCase()))
    return files.length > 0 && isWish(wish) ? [{ ...wish, files }] : []
  })
}

/** In so many later turns, what the user says of a file is looked for. */
const MAX_TURNS = 40

/**
 * Returns what the user says first in later turns of files, by their names without folders and endings.
 * @param isNext whether it is what the user says next, where the user says nothing of them
 */
function saidOfFiles(files: readonly string[], later: readonly WorkTurn[], isNext = true): string[] {
  const names = new Set(files.map(nameOf))
  const said = later
    .slice(0, MAX_TURNS)
    .flatMap(({ request }) => findSentences(withoutPasted(request)))
    .find((sentence) => wordsOf(sentence).some((word) => names.has(nameOf(word))))
  const words = said ?? (isNext ? later.find(({ request }) => !asksForNothing(request))?.request : undefined)
  return words === undefined ? [] : [quoteUser(words)]
}

const nameOf = (word: string): string =>
  baseName(word)
    .toLowerCase()
    .replace(/\.[a-z\d.]{1,12}$/, '')

/** A path from a folder, or the name of a file with its ending. */
const FILE =
  /^(?:~?\/[\w.@-]{1,80}\/[\w./@-]{1,200}|(?:[\w.@/-]{0,200}\/)?[\w@-]{2,80}(?:\.[\w-]{1,40}){0,3}\.[a-z][a-z\d]{0,5})$/

/** Returns the words of a text, with paths as one word each. */
const wordsOf = (text: string): string[] =>
  text.split(/[\s"'`()[\]{},;:!?<>=«»„“”*]+/).map((word) => word.replace(/[./]{1,3}$/, ''))

/** The files that an agent names in its words and calls, each with the last message that does. */
class NamedFiles {
  readonly #last = new Map<string, number>()
  /** The endings of names in calls. */
  readonly #endings = new Set<string>()

  constructor(messages: readonly Message[]) {
    for (const [at, message] of messages.entries()) {
      if (message.role !== 'assistant') continue
      this.#read(textOf(message.content), at)
      for (const call of toolCallsOf(message))
        for (const word of this.#read(JSON.stringify(call.arguments).replace(/\\[nrt]/g, ' '), at))
          this.#endings.add(endingOf(word))
    }
  }

  /** Whether a file is not named after a message. Without a folder, the name may be any word with a point. */
  lacks(path: string, after: number): boolean {
    if (!path.includes('/') && !this.#endings.has(endingOf(path))) return false
    const last = path.split('/').slice(endingOf(path) === '' ? -2 : -1)
    return (this.#last.get(last.join('/')) ?? -1) <= after
  }

  #read(text: string, at: number): string[] {
    const words = [...text.slice(0, MAX_CHARACTERS).toLowerCase().matchAll(WORD)].map(([word]) =>
      word.replace(/[./:@#-]{1,3}$/, ''),
    )
    for (const word of words) {
      const segments = word.split('/')
      for (const one of [...segments, segments.slice(-2).join('/')]) this.#last.set(one, at)
    }
    return words
  }
}

const endingOf = (path: string): string => /\.[^./]{1,6}$/.exec(path)?.[0] ?? ''

/** More is the content of a file. */
const MAX_CHARACTERS = 100_000
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./:@#-]*/gu
