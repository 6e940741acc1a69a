import { isClaim, isShortfall, saysLeft } from './done-claims.ts'
import type { ClaimedPart } from './claimed-parts.ts'

/**
 * Items of the user's own list that an answer names by their numbers: `1) and 3) are done`. Only a clause of nothing but numbers and a
 * claim says that they are done; any other one only names them.
 */

/** The number of an item, directly before its text. */
const BEFORE_ITEM = /(?:^|\s)\(?(\d{1,2})[.)]\s{1,4}$/
const MAX_MARK_CHARACTERS = 10
/** As much of an item finds its place: of a longer one, the end may be cut. */
const MAX_FOUND_CHARACTERS = 40

const NUMBER = String.raw`[(#]?\d{1,2}(?!\d)[.)]?`
const AND = String.raw`(?:\s?[,&+/]\s?(?:(?:and|und|et|y) )?| (?:and|und|et|y) )`
const NUMBERS = `${NUMBER}(?:${AND}${NUMBER}){0,9}`
const ITEMS = '(?:(?:items?|points?|numbers?|tasks?|punkte?|nummern?|aufgaben?|puntos?) )?'
const DONE =
  '(?:done|fixed|implemented|finished|completed?|erledigt|fertig|umgesetzt|behoben|terminés?|faits?|hechos?|listos?)'

/** A clause at the beginning of a sentence that claims items by nothing but their numbers. */
const CLAIMED = new RegExp(
  `^${ITEMS}(${NUMBERS}):? (?:(?:is|are|sind|ist|sont|est|están|está) )?(?:(?:both|all|now|beide|jetzt) )?${DONE}(?=[,.!]|$)`,
  'i',
)

/** Words by which an answer names items by their numbers. */
const NAMED = [
  new RegExp(
    String.raw`(?:^|[\s(])(${NUMBERS}):? (?:is|are|was|were|sind|ist|sont|est|están|está|${DONE})(?![\p{L}])`,
    'giu',
  ),
  /(?:^|[\s(])(\d{1,2})\)/g,
  /(?:^|\s)(?:\(|#|(?:item|point|number|punkt|nummer) )(\d{1,2})(?!\d)/gi,
  /^\s{0,8}(\d{1,2})[.:]\s/gm,
]

const NOT = 'not|skipped|later|open|left|to-?do|tbd|pending|missing|nicht|offen|später|pas|plus tard|pendientes?'

/** Words by which an answer speaks of all items but some, of which it names each, and those by which it denies one. */
const ALL_BUT = new RegExp(
  String.raw`(?<![\p{L}])(?:all|everything|alles?|tout|todos?)(?: (?:is|are|ist|sind|${DONE})){0,2},? (?:but|except(?: for)?|außer|bis auf|sauf|menos) ${ITEMS}(${NUMBERS})(?=\s{0,2}(?:[,.;:!]|$)| (?:is|are|were|have|ist|sind|${DONE})(?![\p{L}]))`,
  'giu',
)
const DENIED = new RegExp(
  String.raw`(?:^|[\s(])(\d{1,2})(?:[.:)]{1,2}\s(?:(?:is|ist) )?|\s(?:is|ist|est|está)\s)(?:(?:still|noch) )?(?:${NOT})(?![\p{L}])`,
  'gimu',
)

/** Words that leave in doubt whether an item is done. */
const DOUBT = new RegExp(
  String.raw`(?<![\p{L}])(?:${NOT}|never|no|none|but|except|apart|without|once|if|unless|until|after|when|only|partly|half|noch|kein\p{L}{0,2}|ohne|wenn|sobald|bis|aber|außer|sauf|sans|si|pero|menos|sin)(?![\p{L}])|n['’]t(?![\p{L}])|[?？]`,
  'iu',
)

/** Where a sentence ends, but behind the number of an item. */
const SENTENCE_END = /\n|(?<=[!?]|\D\.)\s/

const numbersIn = (words: string): number[] => Array.from(words.matchAll(/\d{1,2}/g), ([digits]) => Number(digits))

const namedIn = (text: string, patterns: readonly RegExp[]): number[] =>
  patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, words = '']) => numbersIn(words)).flat())

/** Returns the parts of a request, also as the answer names them by the numbers that they have in the request. */
export function readNumberedParts(parts: readonly ClaimedPart[], request: string, answer: string): ClaimedPart[] {
  const numbers = numbersOf(parts, request)
  const excepted = namedIn(answer, [ALL_BUT])
  const denied = [...excepted, ...namedIn(answer, [DENIED])]
  const named = new Set(namedIn(answer, NAMED))
  const claimed = claimedIn(answer)
  return parts.map((part, at) => {
    const number = numbers[at]
    if (number === undefined || part.said === 'missing') return part
    if (denied.includes(number)) return { ...part, said: 'nothing', isNumbered: true }
    if (part.said === 'done') return part
    if (claimed.has(number)) return { ...part, said: 'done' }
    return named.has(number) || excepted.length > 0 ? { ...part, isNumbered: true } : part
  })
}

/** Returns the numbers of parts in their request; none where it has two of the same. */
function numbersOf(parts: readonly ClaimedPart[], request: string): (number | undefined)[] {
  let from = 0
  const numbers = parts.map(({ text }) => {
    const at = request.indexOf(text.slice(0, MAX_FOUND_CHARACTERS).replace(/(?:…|\.\.\.)$/, ''), from)
    if (at < 0) return undefined
    from = at + 1
    const [, digits] = BEFORE_ITEM.exec(request.slice(Math.max(0, at - MAX_MARK_CHARACTERS), at)) ?? []
    return digits === undefined ? undefined : Number(digits)
  })
  const known = numbers.filter((number) => number !== undefined)
  return new Set(known).size === known.length ? numbers : []
}

/** Returns the numbers that are claimed, but those that another sentence has too: it may say what is missing. */
function claimedIn(answer: string): Set<number> {
  const sentences = answer.split(SENTENCE_END).map((sentence) => sentence.trim())
  return new Set(
    sentences.flatMap((sentence, at) => {
      const [, words] = CLAIMED.exec(sentence) ?? []
      const isSure = isClaim(sentence) && !isShortfall(sentence, true) && !saysLeft(sentence) && !DOUBT.test(sentence)
      // One number alone may be a count: `2 are done, 1 to go`.
      if (words === undefined || !isSure || /^\d+$/.test(words)) return []
      const others = new Set(sentences.flatMap((other, index) => (index === at ? [] : numbersIn(other))))
      return numbersIn(words).filter((number) => !others.has(number))
    }),
  )
}
