import {
  claimedWords,
  isShortfall,
  leftClauses,
  sentencesOf,
  shortClauses,
  withoutClaim,
  type AnswerClaims,
} from './done-claims.ts'
import { isUnexplained, isUnverified } from './left-words.ts'
import { areAllIn, stemsOf } from './same-words.ts'
import { withoutPasted } from './pasted.ts'
import { findSentences } from './statements.ts'
import { isSmallTalk } from './user-text.ts'
import type { WorkCommit } from './work-item.ts'
import { COLON_AT_END, listedWishes, withoutItems } from './listed-wishes.ts'
import { splitObjects } from './wishes.ts'

/** A part of a request, and what the agent's answer says of it: that it is done, that it is not, or nothing. */
export interface ClaimedPart {
  text: string
  said: 'done' | 'missing' | 'nothing'
  /** The words by which the agent says that it is missing. */
  by?: string
  /** Whether the answer names it by its number, and nothing follows from that. */
  isNumbered?: true
}

/** Words that do not say what a part of a request is about. */
const GENERAL = stemsOf(
  `write add create make implement build finish do update change fix adjust improve set give get have want need can could should would
  will must please them there they their he she me us new more some each both same like just also not one here up out schreibe schreib
  erstelle füge hinzu ergänze baue ändere passe an aktualisiere bitte mach mache ajoute crée mets añade agrega crea adicione crie
  aggiungi сделай добавь обнови schreiben erstellen hinzufügen ergänzen bauen einbauen ändern anpassen aktualisieren umsetzen machen
  fertigstellen beenden abschließen everywhere
  ajouter créer faire mettre terminer añadir agregar crear hacer terminar`,
)

/** Runs of characters of languages without spaces between words: pairs of these stand for words. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu

/** Returns the words that say what a text is about. */
export function subjectOf(text: string): Set<string> {
  const words = new Set([...stemsOf(text.replace(WITHOUT_SPACES, ' '))].filter((stem) => !GENERAL.has(stem)))
  for (const [run] of text.slice(0, MAX_CHARACTERS).matchAll(WITHOUT_SPACES))
    for (let at = 0; at + 1 < run.length; at++) words.add(run.slice(at, at + 2))
  return words
}

const MAX_CHARACTERS = 2000

/** So many shared words are enough in any case. */
const MAX_SHARED = 2

/** Whether a text has enough of some words to be about the same thing. */
export const isNamed = (words: ReadonlySet<string>, by: ReadonlySet<string>): boolean =>
  [...words].filter((word) => by.has(word)).length >= Math.min(MAX_SHARED, Math.ceil(words.size / 2))

/** Claims that are about all of a request: `Done.`, `Both are fixed.` */
const EVERYTHING =
  /^(?:(?:perfect|great|excellent|ok(?:ay)?|yes)[,!.]? )?(?:it(?:['’]s| is) |that(?:['’]s| is) |i(?:['’]m| am) )?(?:all )?(?:done|finished|completed?|ready|implemented|(?:it )?(?:now )?works(?: now)?|fertig|erledigt|umgesetzt|terminé|fait|hecho|listo|feito|pronto|fatto|готово|сделано|完成了?|已完成|完了(?:しました)?|完료|완료(?:했습니다|됐습니다)?)[.!。！]?$/iu
/** Words by which a claim is about all things. */
export const QUANTITY =
  /(?<![\p{L}])(?:all|both|everything|each|every|alles?|beide[sn]?|tous|toutes|tout|todos?|todas|tudo|tutt[oie]|оба|обе|всё|все)(?![\p{L}])|全部|都|所有|すべて|全て|両方|모두|전부/iu

/** Words beside a quantity that name no part. */
const COUNTED = stemsOf(
  `all both everything each every are is was were been has have now them these those of two three four five six seven eight things wishes
  points steps parts items tasks requests changes place work works done asked you wanted alles alle beide beides sind ist jetzt punkte
  schritte aufgaben tous toutes tout sont est todo todos todas tudo está están tutto tutti sono`,
)

/** A result of tests: it does not say that tests were written. */
const TESTS_PASS =
  /(?<![\p{L}])(?:tests?|specs?|suite)(?![\p{L}])[^.,;]{0,30}?(?<![\p{L}])(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|grün|laufen|bestanden)(?![\p{L}])/giu
const RUNS_TESTS = /(?<![\p{L}])(?:runs?|rerun|pass(?:es)?|green|check|ausführen|laufen)(?![\p{L}])/iu

/** Whether a clause of a claim is about all of a request. */
function claimsAll(clause: string): boolean {
  if (EVERYTHING.test(clause)) return true
  const rest = withoutClaim(clause)
  return rest !== clause && QUANTITY.test(clause) && [...subjectOf(rest)].every(isCounted)
}

const isCounted = (word: string): boolean => COUNTED.has(word) || /^(?:\d+|\P{Script=Latin}{1,2})$/u.test(word)

const NOTHING_LEFT =
  /^(?:nothing|nichts)(?: else)?(?: \p{L}{1,12}){0,2} (?:left|remains|missing|open|offen|übrig|to do|zu tun)(?![\p{L}])|es (?:fehlt|bleibt) nichts/iu

/** The ends of clauses. */
const CLAUSE_END = /[.!,;:。，！](?=\s|$)|[。，！]|\s[-–—]\s/u

/** A thing that a part of a request names. */
interface Thing {
  /** The part: an index. */
  part: number
  words: ReadonlySet<string>
}

/** Returns the things that parts name, each with the words that no other thing has, or all if it has none of its own. */
function thingsOf(parts: readonly string[]): Thing[] {
  const things = parts.flatMap((text, part) =>
    splitObjects(text)
      .map((words) => ({ part, words: subjectOf(words) }))
      .filter(({ words }) => words.size > 0),
  )
  const counts = new Map<string, number>()
  for (const { words } of things) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return things.map(({ part, words }) => {
    const own = new Set([...words].filter((word) => counts.get(word) === 1))
    return { part, words: own.size > 0 ? own : words }
  })
}

/** What an answer says of a thing. */
type Said = Pick<ClaimedPart, 'said' | 'by'> & {
  /** Whether a claim names it, though it is missing. */
  isClaimed?: boolean
}

/** Returns a function that finds what an answer says of a thing. */
function reader({ text, claims, shortfalls }: Answer, committed: readonly WorkCommit[]) {
  const claimed = claims.length === 0 ? [] : claimedWords(text)
  const commits = committed.map(({ subject }) => subjectOf(subject))
  const isAll =
    claimed.some((words) => words.split(CLAUSE_END).some((clause) => claimsAll(clause.trim()))) ||
    sentencesOf(text).some((sentence) => NOTHING_LEFT.test(sentence))
  const made = claimed.map((one) => subjectOf(one.replace(TESTS_PASS, ' ')))
  const ran = claimed.map(subjectOf)
  const own = claimed.filter((clause) => !isShortfall(clause)).map(subjectOf)
  const missing = shortfalls.map(({ text }) => ({ text, subject: subjectOf(shortClauses(text).join(' ')) }))
  const left = leftClauses(text).map((one) => ({ text: one.text, subject: subjectOf(one.words) }))
  return ({ words }: Thing, part: string): Said => {
    const by = missing.find((one) =>
      isUnverified(one.text) || isUnexplained(one.text) ? areAllIn(words, one.subject) : isNamed(words, one.subject),
    )
    if (by !== undefined)
      return { said: 'missing', by: by.text, isClaimed: [...own, ...commits].some((one) => isNamed(words, one)) }
    if (committed.length > 0 && ONLY_COMMIT.test(part)) return { said: 'done' }
    const isClaimed = (RUNS_TESTS.test(part) ? ran : made).some((subject) => isNamed(words, subject))
    // Of a thing that has the verb of another one, or its place, a commit has done something else.
    if (isClaimed || commits.some((subject) => areAllIn(words, subject))) return { said: 'done' }
    const offered = left.find(({ subject }) => isNamed(words, subject))
    if (offered !== undefined) return { said: 'missing', by: offered.text }
    return { said: isAll ? 'done' : 'nothing' }
  }
}

/** A part that asks for a commit, after words that ask for nothing. */
const ONLY_COMMIT = /(?:^|[.!?,;:] )commit(?:te?)?(?: (?:it|this|that|das|es|ça))?[.!]?$/i

type Answer = AnswerClaims & { text: string }

/**
 * Returns parts of a request with what an answer says of each. Where they name only one thing, any claim is about it. What
 * the agent says is missing counts before what it claims; if that is all but one thing, a claim that names none of it is about that one.
 * @param committed the commits of its turn: their subjects are claims too
 */
export function readClaimedParts(
  parts: readonly string[],
  answer: Answer,
  committed: readonly WorkCommit[],
): ClaimedPart[] {
  const hasClaim = answer.claims.length > 0 || committed.length > 0
  const things = thingsOf(parts)
  if (things.length < 2) return parts.map((text) => ({ text, said: answer.claims.length > 0 ? 'done' : 'nothing' }))
  const read = reader(answer, committed)
  const said = things.map((thing) => read(thing, parts[thing.part] ?? ''))
  const unnamed = said.filter((one) => one.said === 'nothing')
  const isRest = hasClaim && unnamed.length === 1 && said.every((one) => one.said !== 'done' && one.isClaimed !== true)
  if (isRest) for (const one of unnamed) one.said = 'done'
  return parts.map((text, part) => ({
    text,
    ...together(
      said.filter((_, at) => things[at]?.part === part),
      hasClaim,
    ),
  }))
}

/** Returns what is said of a part whose things are named apart. */
function together(said: readonly Said[], hasClaim: boolean): Said {
  const isDone = hasClaim && said.every((one) => one.said === 'done')
  return said.find((one) => one.said === 'missing') ?? { said: isDone ? 'done' : 'nothing' }
}

/** The longest claim that says of nothing what is done, where there are others: `Done. I fixed the import.` */
const MAX_BARE_CHARACTERS = 12

/** Whether an answer claims each sentence of a request beside its list, but greetings and thanks. Which of them ask for something, no words tell. */
export function claimsEach(request: string, answer: Answer, committed: readonly WorkCommit[]): boolean {
  const wishes = listedWishes(request).map(({ text }) => text)
  const isListed = (sentence: string): boolean =>
    wishes.length > 0 &&
    (COLON_AT_END.test(sentence) || wishes.some((one) => one.includes(sentence) || sentence.includes(one)))
  // A list that is demanded as a whole has no wishes: its items are sentences of the request.
  const own = findSentences(withoutPasted(wishes.length > 0 ? withoutItems(request) : request))
  const sentences = own.filter((sentence) => !isSmallTalk(sentence) && !isListed(sentence))
  if (sentences.length + wishes.length < 2) return true
  const claims = answer.claims.filter(({ text }) => text.length > MAX_BARE_CHARACTERS)
  const text = sentencesOf(answer.text).filter(({ length }) => length > MAX_BARE_CHARACTERS)
  const others = claims.length === 0 ? answer : { ...answer, claims, text: text.join('\n') }
  const parts = readClaimedParts([...wishes, ...sentences], others, committed)
  return parts.slice(wishes.length).every(({ said }) => said === 'done')
}
