import { nameWordsOf, wordsOf } from './said-lines.ts'
import { areAllIn } from './same-words.ts'
import { isBan } from './bans.ts'
import { readWithdrawal, withoutChange, type Withdrawal } from './withdrawals.ts'
import { REASON } from './words.ts'

/** A demand, with the facts that decide whether another one is a newer wording of it. */
interface Wording {
  text: string
  /** Without the name of its request. */
  demand: string
  words: ReadonlySet<string>
  /** The words of what it demands, without those of what is not to be instead. */
  core: ReadonlySet<string>
  /** The words of its parts that are demands by themselves. */
  parts: readonly ReadonlySet<string>[]
  /** The words of its names: more words beside them are more demands of the same kind. */
  names: ReadonlySet<string>
  isForRequest: boolean
  isBan: boolean
  /** What it takes back. */
  withdrawal: Withdrawal | undefined
}

/** The maximum number of demands that are compared, the newest ones: each is compared with all later ones. */
const MAX_DEMANDS = 500

/**
 * Returns demands, oldest first, each once: of several that say the same, the newest wording; and those that are taken back later not
 * at all. Words that allow what was forbidden, or say that something is not needed any more, are in the place of what they take back, or
 * beside a ban that they lift in part.
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
    const lifts = (older: Wording): boolean =>
      older.isBan && withdrawal !== undefined && withdrawal.of !== 'need' && isLiftedInPart(older, newer)
    const isKept =
      withdrawal === undefined || (withdrawal.of !== 'rule' && (over.size > 0 || known.has(text))) || chosen.some(lifts)
    if (isKept) chosen.push(newer)
  }
  return chosen.map(({ text }) => text)
}

function readWording(text: string): Wording {
  const demand = text.replace(FOR_REQUEST, '').replace(/^[-*+] /, '')
  const withdrawal = readWithdrawal(demand)
  const lasting = withoutChange(demand)
  const wanted = lasting.replace(UNWANTED, ' ')
  return {
    text,
    demand,
    words: withdrawal?.words ?? wordsOf(lasting),
    core: wordsOf(wanted),
    parts: lasting.split(PARTS).map(wordsOf),
    names: nameWordsOf(demand),
    isForRequest: isForRequest(text),
    isBan: isBan(demand.replace(UNWANTED, ' ')),
    withdrawal,
  }
}

/** What is not to be, beside what is to be. */
const UNWANTED =
  /(?:, (?:and )?(?:not|nicht|pas|no|não|non|не)| (?:instead of|rather than|statt|anstatt|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо)) [^,;.]{1,80}/giu

/** Whether a demand has the name of the request that it belongs to. */
export const isForRequest = (demand: string): boolean => FOR_REQUEST.test(demand)

const FOR_REQUEST = / \(only for: (?:"[^\n]{1,100}"|the newest request)\)$/

/** Whether a demand says all that another one does. */
const saysAll = (demand: Wording, other: Wording): boolean =>
  demand.isBan === other.isBan && areAllIn(other.words, demand.words)

/** Returns the demands that do not hold any more after a newer one. What is taken back as a rule must be clear: one demand, and all of it. */
function findOver(demands: readonly Wording[], newer: Wording): readonly Wording[] {
  const { withdrawal } = newer
  if (withdrawal === undefined)
    return demands.filter((older) => isReplaced(older, newer) || hasOtherValue(older, newer))
  const { of, words } = withdrawal
  if (of !== 'rule') {
    const isMeant = (older: Wording): boolean => older.withdrawal !== undefined || older.isBan === (of === 'ban')
    return newer.withdrawal?.isPart === true
      ? []
      : demands.filter((older) => isMeant(older) && isSame(older.words, words))
  }
  const found = demands.filter((older) => areAllIn(words, older.words))
  const isAllOf = ({ demand, names }: Wording): boolean =>
    isOnlyAbout(demand, words) && (newer.names.size === 0 || areAllIn(names, words))
  return found.length === 1 && found.every(isAllOf) ? found : []
}

/** Whether words allow a part of what a ban forbids, or all of it where the ban has more clauses, or a thing that the ban names. */
const isLiftedInPart = (ban: Wording, { words, names }: Wording): boolean =>
  saysMore(words, ban.words) ||
  ban.parts.some((part) => isSame(part, words)) ||
  (names.size > 0 && areAllIn(names, ban.words))

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
const PARTS =
  /[.,;:!](?=\s)|[，、；。]|\s(?:instead of|rather than|statt|anstatt|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо|except|unless|außer|sauf|salvo|excepto|кроме)(?=\s)/iu

/**
 * Whether a newer demand stands in the place of an older one: it has the same words, or more words beside the names of the older one, or
 * a part with its words, such as "not tabs" after "Use tabs". Otherwise they differ: in one name, or as a thing and a part of it do.
 */
function isReplaced(older: Wording, newer: Wording): boolean {
  if ((newer.isForRequest && !older.isForRequest) || !areAllIn(older.words, newer.words)) return false
  if (older.words.size === newer.words.size) return true
  if (older.isBan && !newer.isBan) return false
  return (older.names.size > 0 && older.isBan === newer.isBan) || newer.parts.some((part) => isSame(part, older.words))
}

/** Values of which a demand has one: a language with its spelling, an indentation, quotation marks, a form of names, a tool. */
const VALUES = [
  'english german french spanish italian portuguese russian chinese japanese british american uk spelling answer reply respond',
  'deutsch englisch französisch spanisch français anglais allemand espagnol inglés español alemán francés английском русском немецком 用中文 用英文 用日文',
  'tabs spaces 1 2 3 4 8',
  'single double quotes',
  'snake_case camelCase PascalCase kebab-case',
  'pnpm npm yarn bun',
  'jest vitest mocha',
].map(wordsOf)

/**
 * Whether a newer demand has another value where an older one has one, and the same words around it. Of words that are no such values,
 * one may differ if the newer demand says that it is to be so instead, or has another number from now on. Bans add to each other.
 */
function hasOtherValue(older: Wording, newer: Wording): boolean {
  if (older.isBan || newer.isBan || older.withdrawal !== undefined || (newer.isForRequest && !older.isForRequest))
    return false
  const gone = fewWords(older.core, newer.core)
  const come = fewWords(newer.core, older.core)
  if (gone === undefined || come === undefined) return false
  const differing = [...gone, ...come]
  const isNumber = differing.every((word) => /^\d+$/.test(word))
  const isOne = differing.length === 2 && newer.core.size > 1
  const isValue =
    VALUES.some((values) => differing.every((word) => values.has(word))) &&
    (!isNumber || INDENTATION.some((word) => newer.core.has(word)))
  if (INSTEAD.test(newer.demand)) return isValue || isOne
  return !ADDS.test(newer.demand) && (isValue || (isOne && isNumber && withoutChange(newer.demand) !== newer.demand))
}

/** Returns the words of the first set that are not in the second; undefined if there is none, or more than a value has. */
function fewWords(words: ReadonlySet<string>, others: ReadonlySet<string>): string[] | undefined {
  const found: string[] = []
  for (const word of words) {
    if (others.has(word)) continue
    if (found.length === MAX_VALUE_WORDS) return undefined
    found.push(word)
  }
  return found.length === 0 ? undefined : found
}

const MAX_VALUE_WORDS = 3

/** Verbs of which a demand may have several objects, and words that add one. */
const ADDS =
  /(?<![\p{L}])(?:support|accept|includ|translat|check|allow|offer|unterstütz|übersetz|soport|tradu)|(?<=\S )(?:also|too|auch|aussi|también|também|anche)(?![\p{L}])/iu

const INDENTATION = [...wordsOf('tabs spaces indent')]
const INSTEAD = /(?<![\p{L}])(?:instead(?! of)|stattdessen|à la place|en su lugar)(?![\p{L}])/iu

/** Whether words say all that others do, and more. */
const saysMore = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  others.size > 0 && words.size > others.size && areAllIn(others, words)

const isSame = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size === others.size && areAllIn(others, words)
