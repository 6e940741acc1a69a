import { oneLine, shorten } from '../text/shorten.ts'
import { isBan } from './bans.ts'
import { isForRequest, withLater, withoutLater } from './demand-notes.ts'
import { wordsOf } from './said-lines.ts'
import { areAllIn } from './same-words.ts'
import { isLastingDemand } from './words.ts'

/**
 * What the user said after a demand about the same thing: that it is allowed now, is needed no more, or is to be otherwise. Whether the
 * demand still holds is for the reader to judge: the words stand beside it.
 */

/** Words by which a demand or what is said of it names nothing. */
const FILLER = wordsOf(
  'more mehr plus más bis jusqu hasta further notice weiteres nouvel ordre nuevo aviso nichts rien nada sacred taboo tabu off limits hands frozen locked stay stays alone finger weg please bitte new max first forget said told what about mind changed rule rules ban actually ok okay fine now longer vergiss gesagt regel oublie olvida правило забудь 忘掉 规则',
)

/** The places between clauses. */
const CLAUSES = /[.,;:!](?=\s)|[，、；。]|\s(?:because|since|weil|denn|parce que|porque)\s/iu

/** A name in a clause has a sign within, or is code. */
const NAME = /[/_\\-]|\w\.\w|^["'(]?`[^`]+`/u
const MIN_NAME_CHARACTERS = 4

/** Words that take back what was said before, or, behind a ban, allow something in a part of it. */
const TAKES_BACK =
  /^(?:\p{L}+[,:.]? ){0,2}(?:(?:forget|scratch|ignore|disregard|cancel|take) (?:that|it|this|what i)|never ?mind|vergiss (?:das|es)|oublie[rz]? (?:ça|cela)|laisse tomber|olvíd\p{L}{1,6})(?![\p{L}])(?: (?:just )?(?:said|back|again|wieder))?[\s.!]*$|^(?:забудь|忘|잊어)/iu
const ALLOWS =
  /(?<![\p{L}])(?:it|that|es|das)(?:['’]s| is| ist)?(?: now| jetzt)? (?:ok(?:ay)?|fine|allowed|erlaubt)(?![\p{L}])/iu
/** Words that take back something that they name. */
const TAKES_NAMED =
  /^(?:\p{L}+[,:.]? ){0,2}(?:forget|never ?mind|drop|ignore|disregard|vergiss|oublie|olvida)(?![\p{L}])|^(?:забудь|忘)/iu

/** Longer sentences say something else, as does a clause in which few words are those of the demand. */
const MAX = { sentences: 2000, quoted: 160, words: 12, short: 8, pointing: 60 }
const SHARE = 0.5
const MIN_SHARE_OF_CLAUSE = 0.25

type Words = ReadonlySet<string>

/** A sentence of the user. */
interface Said {
  text: string
  words: Words
  clauses: readonly { words: Words; isShort: boolean }[]
}

/** A clause of a demand: the words that name what it is about, and those of each name. */
interface Clause {
  words: Words
  names: readonly Words[]
}

/**
 * Returns demands, each with the last sentence of the user after it that is about the same thing, unless that is a demand which stands too.
 * @param sentences those of the user, oldest first
 */
export function withLaterWords(demands: readonly string[], sentences: readonly string[]): string[] {
  if (demands.length === 0) return []
  const standing = demands.map(withoutLater)
  const said = sentences.slice(-MAX.sentences).map(readSaid)
  const others = new Set(said.filter(({ text }) => isQuestion(text) || standing.some((one) => one.endsWith(text))))
  return demands.map((demand, index) => {
    const bare = standing[index] ?? ''
    // It holds until the next request.
    if (isForRequest(bare)) return demand
    const clauses = clausesOf(bare)
    const own = said.findLastIndex(({ text }) => bare.endsWith(text))
    const later = said.findLast((one, at) => {
      const isNext = own >= 0 && at === own + 1
      return at > own && !others.has(one) && (isAbout(one, clauses) || (isNext && pointsBack(one, bare)))
    })
    return later === undefined ? demand : withLater(bare, quoted(later.text))
  })
}

const isQuestion = (sentence: string): boolean => /[?？]$/.test(sentence)

const quoted = (text: string): string => shorten(oneLine(text.replaceAll('"', "'")), MAX.quoted)

function readSaid(text: string): Said {
  const clauses = text.split(CLAUSES).map((clause) => ({
    words: namingWords(clause),
    isShort: clause.trim().split(' ').length <= MAX.short,
  }))
  return { text, clauses, words: new Set(clauses.flatMap(({ words }) => [...words])) }
}

/** Returns the words of a text that name something. An infinitive of French has the stem of its order: `pousser` and `pousse`. */
const namingWords = (text: string): Words =>
  new Set(
    [...wordsOf(text.replace(AMOUNT, ' '))]
      .filter((word) => !FILLER.has(word) && !/^\d+$/.test(word))
      .flatMap((word) => (/\p{L}{4}er$/u.test(word) && FRENCH.test(text) ? [...wordsOf(word.slice(0, -1))] : word)),
  )

/** A number with its unit: `50 MB`. */
const AMOUNT = /\d\s?\p{L}{1,2}(?![\p{L}\p{N}])/gu

const FRENCH = /(?<![\p{L}])(?:tu peux|vous pouvez|on peut|besoin de)(?![\p{L}])/iu

/**
 * Returns the clauses by which a demand lasts, or else all of them, and the names of the first one, which may allow what the others limit.
 * Behind the first that lasts, which may name a thing in a word, a reason may follow.
 */
function clausesOf(demand: string): Clause[] {
  const clauses = demand.split(CLAUSES)
  const lasting = clauses.filter(isLastingDemand)
  const [first, ...others] = (lasting.length === 0 ? clauses : lasting)
    .map((text) => ({ words: namingWords(text), names: namesIn(text) }))
    .filter(({ words }) => words.size > 0)
  const subject = { words: new Set<string>(), names: namesIn(clauses[0] ?? '') }
  return first === undefined ? [] : [subject, first, ...others.filter(({ words }) => words.size > 1)]
}

/** Returns the words of the last part of each name in a clause. */
const namesIn = (clause: string): Words[] =>
  clause
    .split(/\s+/)
    .filter((word) => NAME.test(word))
    .map((word) => word.split(/[/`"')=]/).findLast((part) => /[\p{L}\p{N}]/u.test(part)) ?? '')
    .filter((name) => name.length >= MIN_NAME_CHARACTERS || /\d/.test(name))
    .map(namingWords)
    .filter(({ size }) => size > 0)

/** Whether a sentence is about a demand: it names it, by its name or by some of its words. */
function isAbout({ text, words, clauses }: Said, demand: readonly Clause[]): boolean {
  const isNamed = demand.some(({ names }) => names.some((name) => areAllIn(name, words)))
  const isTakenBack = TAKES_NAMED.test(text) && words.size > 0
  if (isNamed || (isTakenBack && demand.some((clause) => areAllIn(words, clause.words)))) return true
  return (
    words.size <= MAX.words &&
    demand.some((clause) =>
      clauses.some((said) => (said.isShort || clause.words.size > 1) && sharesWords(said.words, clause.words)),
    )
  )
}

/** Whether a sentence is about the demand before it, which it does not name. */
const pointsBack = ({ text }: Said, demand: string): boolean =>
  text.length <= MAX.pointing && (TAKES_BACK.test(text) || (isBan(demand) && ALLOWS.test(text)))

/** Whether two clauses share half of the words of one, at least two of several, and more than a few of the words of the other. */
function sharesWords(said: Words, words: Words): boolean {
  const shared = [...words].filter((word) => said.has(word)).length
  return shared >= Math.min(2, words.size) && shared >= words.size * SHARE && shared > said.size * MIN_SHARE_OF_CLAUSE
}
