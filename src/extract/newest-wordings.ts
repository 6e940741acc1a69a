import { nameWordsOf, wordsOf } from './said-lines.ts'
import { areAllIn } from './same-words.ts'
import { isBan, readWithdrawal, type Withdrawal } from './withdrawals.ts'
import { REASON } from './words.ts'

/** A demand, with the facts that decide whether another one is a newer wording of it. */
interface Wording {
  text: string
  /** Without the name of its request. */
  demand: string
  words: ReadonlySet<string>
  /** The words of its parts that are demands by themselves. */
  parts: readonly ReadonlySet<string>[]
  /** Whether it has names: more words beside them are more demands of the same kind. */
  isNamed: boolean
  isForRequest: boolean
  isBan: boolean
  /** What it takes back. */
  withdrawal: Withdrawal | undefined
}

/** The maximum number of demands that are compared, the newest ones: each is compared with all later ones. */
const MAX_DEMANDS = 500

/**
 * Returns demands, oldest first, each once: of several that say the same, the newest wording; and those that are taken back later not
 * at all. Words that allow what was forbidden, or say that something is not needed any more, are in the place of what they take back.
 * @param known demands that stay although they take nothing back: an earlier summary has them
 */
export function newestWordings(demands: readonly string[], known: ReadonlySet<string> = new Set()): string[] {
  let chosen: Wording[] = []
  for (const text of demands.slice(-MAX_DEMANDS)) {
    const newer = readWording(text)
    if (newer.isForRequest && chosen.some((older) => !older.isForRequest && saysAll(older, newer))) continue
    const over = new Set(findOver(chosen, newer))
    chosen = chosen.filter((older) => !over.has(older))
    const { withdrawal } = newer
    const isKept = withdrawal === undefined || (withdrawal.of !== 'rule' && (over.size > 0 || known.has(text)))
    if (isKept) chosen.push(newer)
  }
  return chosen.map(({ text }) => text)
}

function readWording(text: string): Wording {
  const demand = text.replace(FOR_REQUEST, '').replace(/^[-*+] /, '')
  const withdrawal = readWithdrawal(demand)
  const words = withdrawal?.words ?? wordsOf(demand)
  const parts = demand.split(PARTS).map(wordsOf)
  const isNamed = nameWordsOf(demand).size > 0
  return { text, demand, words, parts, isNamed, isForRequest: isForRequest(text), isBan: isBan(demand), withdrawal }
}

/** Whether a demand has the name of the request that it belongs to. */
export const isForRequest = (demand: string): boolean => FOR_REQUEST.test(demand)

const FOR_REQUEST = / \(only for: (?:"[^\n]{1,100}"|the newest request)\)$/

/** Whether a demand says all that another one does. */
const saysAll = (demand: Wording, other: Wording): boolean =>
  demand.isBan === other.isBan && areAllIn(other.words, demand.words)

/** Returns the demands that do not hold any more after a newer one. What is taken back as a rule must be clear: one demand, and all of it. */
function findOver(demands: readonly Wording[], newer: Wording): readonly Wording[] {
  const { withdrawal } = newer
  if (withdrawal === undefined) return demands.filter((older) => isReplaced(older, newer))
  const { of, words } = withdrawal
  if (of !== 'rule') return demands.filter((older) => older.isBan === (of === 'ban') && isSame(older.words, words))
  const found = demands.filter((older) => areAllIn(words, older.words))
  return found.length === 1 && found.every(({ demand }) => isOnlyAbout(demand, words)) ? found : []
}

/** The places between demands of one sentence; "not spaces" belongs to "tabs". */
const CLAUSES =
  /[.,;:](?! (?:not|nicht|pas|no|non|не) )(?=\s)|[，、；。]|\s(?:and|or|nor|und|oder|noch|et|ou|ni|y|o|e|и|или)\s/iu

/** Whether each part of a demand, besides its reason, has one of some words. */
const isOnlyAbout = (demand: string, words: ReadonlySet<string>): boolean =>
  (demand.split(REASON, 1)[0] ?? '')
    .split(CLAUSES)
    .map(wordsOf)
    .every((part) => part.size === 0 || [...words].some((word) => part.has(word)))

/** A part of a demand that is one by itself. */
const PARTS = /[.,;:!](?=\s)|[，、；。]/

/**
 * Whether a newer demand stands in the place of an older one: it has the same words, or more words beside the names of the older one, or
 * a part with its words, such as "not tabs" after "Use tabs". Otherwise they differ: in one name, or as a thing and a part of it do.
 */
function isReplaced(older: Wording, newer: Wording): boolean {
  if ((newer.isForRequest && !older.isForRequest) || !areAllIn(older.words, newer.words)) return false
  if (older.words.size === newer.words.size) return true
  if (older.isBan && !newer.isBan) return false
  return (older.isNamed && older.isBan === newer.isBan) || newer.parts.some((part) => isSame(part, older.words))
}

const isSame = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size === others.size && areAllIn(others, words)
