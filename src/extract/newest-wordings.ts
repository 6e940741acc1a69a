import { nameWordsOf, wordsOf } from './said-lines.ts'
import { areAllIn } from './same-words.ts'
import { isBan, IS_OFF_LIMITS } from './bans.ts'
import { isForRequest, withoutLater, withoutRequest } from './demand-notes.ts'

/** A demand, with the facts that decide whether another one is a newer wording of it. */
interface Wording {
  text: string
  /** Without the name of its request. */
  demand: string
  words: ReadonlySet<string>
  /** What it demands, without words of a change and what is not to be instead, and the words of that. */
  wanted: string
  unwanted: ReadonlySet<string>
  core: ReadonlySet<string>
  /** The words of its parts that are demands by themselves. */
  parts: readonly ReadonlySet<string>[]
  /** The words of its names: more of them are more demands of the same kind. */
  names: ReadonlySet<string>
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
    chosen = chosen.filter(
      (older) => !isReplaced(older, newer) && !hasOtherValue(older, newer) && !hasOtherCount(older, newer),
    )
    chosen.push(newer)
  }
  return chosen.map(({ text }) => text)
}

function readWording(text: string): Wording {
  const demand = withoutRequest(withoutLater(text)).replace(/^[-*+] /, '')
  const lasting = withoutChange(demand)
  const wanted = lasting.replace(UNWANTED, ' ')
  return {
    text,
    demand,
    words: wordsOf(lasting),
    wanted,
    unwanted: wordsOf(lasting.match(UNWANTED)?.join(' ') ?? ''),
    core: wordsOf(wanted),
    parts: lasting.split(PARTS).map(wordsOf),
    names: nameWordsOf(demand),
    isForRequest: isForRequest(text),
    isBan: isBan(demand.replace(UNWANTED, ' ')),
  }
}

/** Words of a change, which do not say what is demanded. */
const AROUND =
  /(?<![\p{L}])(?:any ?(?:more|longer|time)|again|from (?:now|today) on|going forward|after all|instead(?! of)|directly|as well|of course|wieder|ab (?:jetzt|sofort)|doch|nun|inzwischen|stattdessen|maintenant|désormais|(?:de|à) nouveau|de nuevo|otra vez|(?:de |desde |a partir de )?ahora(?: en adelante)?|agora|adesso|теперь|снова)(?![\p{L}])|从现在(?:起|开始)|今后|今後は/giu

/** Returns a demand without words of a change, and with the same word for whatever must not be changed. */
const withoutChange = (demand: string): string => demand.replace(AROUND, ' ').replace(IS_OFF_LIMITS, 'change')

/** What is not to be, beside what is to be. */
const UNWANTED =
  /(?:, (?:and )?(?:not|nicht|pas|no|não|non|не)| (?:instead of|rather than|statt|anstatt|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо)) [^,;.]{1,80}/giu

/** Whether a demand says all that another one does. */
const saysAll = (demand: Wording, other: Wording): boolean =>
  demand.isBan === other.isBan && areAllIn(other.words, demand.words)

/** A part of a demand that is one by itself. */
const PARTS =
  /[.,;:!](?=\s)|[，、；。]|\s(?:instead of|rather than|statt|anstatt|au lieu de|en (?:lugar|vez) de|em vez de|invece di|вместо|except|unless|außer|sauf|salvo|excepto|кроме)(?=\s)/iu

/**
 * Whether a newer demand stands in the place of an older one: it has the same words, or more names beside those of the older one, or
 * a part with its words, such as "not tabs" after "Use tabs". Otherwise they differ: in one name, or as a thing and a part of it do.
 */
function isReplaced(older: Wording, newer: Wording): boolean {
  if ((newer.isForRequest && !older.isForRequest) || !areAllIn(older.words, newer.words)) return false
  if (older.words.size === newer.words.size) return true
  if (older.isBan && !newer.isBan) return false
  const addsNames = [...newer.words].every((word) => older.words.has(word) || newer.names.has(word))
  return (
    (older.names.size > 0 && addsNames && older.isBan === newer.isBan) ||
    newer.parts.some((part) => isSame(part, older.words))
  )
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
  if (older.isBan || newer.isBan || (newer.isForRequest && !older.isForRequest)) return false
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

/** A count at the beginning of a demand of one clause, behind words such as "always use", and what is counted. */
const COUNT =
  /^([^,;:()–—]*?)(?<![\p{L}\p{N}])(\d{1,6}(?= \p{Ll})|two|three|four|five|six|eight|ten|zwei|drei|vier|fünf|acht|zehn|deux|trois|quatre|cinq|huit|dix|dos|tres|cuatro|cinco|ocho|diez)(?= \p{L})([^,;:()–—]*)$/u

/** Whether a newer demand has another count of the same things, and all other words are the same. Bans add to each other. */
function hasOtherCount(older: Wording, newer: Wording): boolean {
  if (older.isBan || newer.isBan || newer.isForRequest || ADDS.test(newer.demand)) return false
  if (!areAllIn(newer.unwanted, older.words) || !areAllIn(older.unwanted, newer.words)) return false
  const [, lead = '', count = '', things = ''] = COUNT.exec(newer.wanted) ?? []
  const [, before = '', known = '', counted = ''] = COUNT.exec(older.wanted) ?? []
  const isOther = known !== '' && count !== '' && known !== count
  return isOther && wordsOf(before + lead).size === 0 && isSame(wordsOf(counted), wordsOf(things))
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
  /(?<![\p{L}])(?:support|accept|includ|translat|check|test|allow|offer|unterstütz|übersetz|soport|tradu)|(?<=\S )(?:also|too|auch|aussi|también|também|anche)(?![\p{L}])/iu

const INDENTATION = [...wordsOf('tabs spaces indent')]
const INSTEAD = /(?<![\p{L}])(?:instead(?! of)|stattdessen|à la place|en su lugar)(?![\p{L}])/iu

const isSame = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size === others.size && areAllIn(others, words)
