import { nameWordsOf, wordsOf } from './said-lines.ts'

/** A demand, and what tells whether another one is a newer wording of it. */
interface Wording {
  text: string
  /** Without the name of its request. */
  demand: string
  words: ReadonlySet<string>
  isForRequest: boolean
  isBan: boolean
}

/** The maximum number of demands that are compared, the newest ones: each is compared with all later ones. */
const MAX_DEMANDS = 500

/** Returns demands, oldest first, each once: of several that say the same, the newest wording. */
export function newestWordings(demands: readonly string[]): string[] {
  let chosen: Wording[] = []
  for (const text of demands.slice(-MAX_DEMANDS)) {
    const newer = readWording(text)
    if (newer.isForRequest && chosen.some((older) => !older.isForRequest && saysAll(older, newer))) continue
    chosen = chosen.filter((older) => !isReplaced(older, newer))
    chosen.push(newer)
  }
  return chosen.map(({ text }) => text)
}

function readWording(text: string): Wording {
  const demand = text.replace(FOR_REQUEST, '')
  return { text, demand, words: wordsOf(demand), isForRequest: demand !== text, isBan: NEGATION.test(demand) }
}

/** Whether a demand has the name of the request that it belongs to. */
export const isForRequest = (demand: string): boolean => FOR_REQUEST.test(demand)

const FOR_REQUEST = / \(only for: (?:"[^\n]{1,100}"|the newest request)\)$/

const NEGATION =
  /n['’]t(?![\p{L}])|(?<![\p{L}])(?:never|not|no|nothing|cannot|without|avoid|nie|niemals|nicht|nichts|kein\w*|ne|pas|jamais|nunca|sin|não|non|mai|никогда|не|нельзя)(?![\p{L}])|不|别|勿|禁|ない|ません|避け|지\s*마|금지/iu

const hasAll = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const word of others) if (!words.has(word)) return false
  return true
}

/** Whether a demand says all that another one does. */
const saysAll = (demand: Wording, other: Wording): boolean =>
  demand.isBan === other.isBan && hasAll(demand.words, other.words)

/** A part of a demand that is one by itself. */
const PARTS = /[.,;:!](?=\s)|[，、；。]/

/**
 * Whether a newer demand stands in the place of an older one: it has the same words, or more words beside the names of the older one, or
 * a part with its words, such as "not tabs" after "Use tabs". Otherwise they differ: in one name, or as a thing and a part of it do.
 */
function isReplaced(older: Wording, newer: Wording): boolean {
  if ((newer.isForRequest && !older.isForRequest) || !hasAll(newer.words, older.words)) return false
  if (older.words.size === newer.words.size) return true
  if (older.isBan && !newer.isBan) return false
  const isNamed = older.isBan === newer.isBan && nameWordsOf(older.demand).size > 0
  return isNamed || newer.demand.split(PARTS).some((part) => isSame(wordsOf(part), older.words))
}

const isSame = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size === others.size && hasAll(words, others)
