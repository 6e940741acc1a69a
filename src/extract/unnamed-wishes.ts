import { textOf, toolCallsOf, type Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { isOrder } from './deferred.ts'
import { findLastingDemands } from './demands.ts'
import { withoutPasted } from './pasted.ts'
import { findSentences } from './statements.ts'
import { isUnwanted, listedWishes, withoutItems } from './wishes.ts'
import { lastUpTo, openItem, quoteUser, type PostponedWords, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/**
 * Items and sentences of a request that name a file which an agent has named in no word and no call since: whatever it claims of the
 * request, they are not done. A wish without a file may be done in other words.
 */

/** The note of such a wish. */
export const UNNAMED = 'asked for by the user; the agent has not named the file since'

interface Said {
  turns: readonly WorkTurn[]
  messages: readonly Message[]
  /** The messages that stay. */
  kept: readonly Message[]
  postponed: readonly PostponedWords[]
}

/** Returns items in which the wishes that the agent does not name are open, and their requests are not said to be done as a whole. */
export function openUnnamed(items: readonly WorkItem[], { turns, messages, kept, postponed }: Said): WorkItem[] {
  const isPostponed = (text: string): boolean => postponed.some((one) => one.words.includes(text))
  const asked = turns.map(({ at, request }) => ({
    at,
    texts: fileWishes(request).filter((text) => !isPostponed(text)),
  }))
  // Most sessions have none, and their messages need not be read.
  if (asked.every(({ texts }) => texts.length === 0)) return [...items]
  const names = new NamedFiles([...messages, ...kept])
  const isUnnamed = (text: string, at: number): boolean => filesIn(text).some((path) => names.lacks(path, at))
  const unnamed = new Map(asked.map(({ at, texts }) => [at, texts.filter((text) => isUnnamed(text, at))]))
  const settled = new Set(items.flatMap((item) => (item.kind === 'request' && isSettled(item) ? [item.at] : [])))
  const done = new Set(
    items.flatMap(({ kind, state, at, text }) => (kind === 'wish' && state === 'done' ? [`${at} ${text}`] : [])),
  )
  return items.flatMap((item): WorkItem[] => {
    const texts = settled.has(item.at)
      ? (unnamed.get(item.at) ?? []).filter((text) => !done.has(`${item.at} ${text}`))
      : []
    const wishes = texts.map((text): WorkItem => {
      const since = saidOfFiles(text, turns.slice(lastUpTo(turns, item.at) + 1))
      return { ...openItem('wish', text, item.at), note: UNNAMED, ...defined({ since }) }
    })
    if (item.kind === 'wish' && isSettled(item)) return wishes.some(({ text }) => text === item.text) ? [] : [item]
    if (item.kind !== 'request' || wishes.length === 0) return [item]
    return [{ ...item, state: item.state === 'said' ? 'answered' : item.state }, ...wishes]
  })
}

const isSettled = ({ state }: WorkItem): boolean => state === 'said' || state === 'answered' || state === 'unknown'

/** Returns the items and sentences of a request that ask for something with a file. */
function fileWishes(request: string): string[] {
  const listed = listedWishes(request)
  const isWish = (text: string): boolean =>
    (listed.length > 0 || isOrder(text)) && !isUnwanted(text) && findLastingDemands(text).length === 0
  const texts = listed.length > 0 ? listed : findSentences(withoutPasted(withoutItems(request)))
  return texts.filter((text) => filesIn(text).length > 0 && isWish(text))
}

/** Returns what the user says first in later turns of a file that a wish names. */
function saidOfFiles(wish: string, later: readonly WorkTurn[]): string[] | undefined {
  const files = filesIn(wish)
  const said = later
    .filter(({ request }) => files.some((file) => request.toLowerCase().includes(file)))
    .flatMap(({ request }) => findSentences(withoutPasted(request)))
    .find((sentence) => filesIn(sentence).some((file) => files.includes(file)))
  return said === undefined ? undefined : [quoteUser(said)]
}

/** A path from a folder, or the name of a file with its ending. */
const FILE =
  /^(?:~?\/[\w.@-]{1,80}\/[\w./@-]{1,200}|(?:[\w.@/-]{0,200}\/)?[\w@-]{2,80}(?:\.[\w-]{1,40}){0,3}\.[a-z][a-z\d]{0,5})$/

/** Returns the paths of the files that a text names, in lower case. */
const filesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s"'`()[\]{},;:!?<>=«»„“”*]+/)
    .map((word) => word.replace(/[./]{1,3}$/, ''))
    .filter((word) => FILE.test(word))

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
