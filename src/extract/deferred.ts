import { changesMind, wordsOfChange } from './changed-mind.ts'
import { subjectOf } from './claimed-parts.ts'
import { sentencesOf } from './done-claims.ts'
import { QUESTION_AT_END, readQuestionAtEnd } from './user-text.ts'
import { isNotNow, postponesSomething } from './verdict-words.ts'
import type { WorkChecks } from './work-checks.ts'
import { sharedShare } from './same-words.ts'
import type { PostponedWords } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/**
 * What users postpone. Nothing but that its message is not done as a whole follows from it: whether it is its time, and whether it was done
 * since, is the reader's to judge.
 */

/** Where a clause ends. */
const END = String.raw`(?=\s{0,2}(?:[,;:.!)–—-]|$))`

/** Words by which users put work off to another time. */
const LATER = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:(?:ask|remind) (?:me|us) (?:again|later|in|on|when|once)|can wait|not (?:now|today|before)|(?:some ?day|later|next (?:week|month|year|sprint|quarter|season))${END}|(?:some ?day|later|tomorrow|next week),? (?:please|maybe)|tomorrow,? please|when there(?:['’]s| is) time|(?:maybe|perhaps) (?:for|in|next|later|after)|(?<!commit |push )only (?:after|once)|for after|after (?:the |v?(?=\d))?(?:release|launch|campaign|freeze|holidays|vacation|season|easter|christmas|new year|summer|winter|\d{1,3}\.\d{1,3}${END}))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:nicht (?:jetzt|heute|vor)|irgendwann|erst (?:nach|im|am|ab|später|morgen|nächst\p{L}*)|erst,? wenn|(?:später|nächste woche|nächsten monat|nächstes jahr)${END}|später bitte|(?:liegen|ruhen) ?lassen|ha(?:t|ben) zeit bis|(?:kann|können) warten|erinnere? mich (?:im|am|in|wieder)|frag mich (?:im|am|in|wieder)|bleib\p{L}{1,2} bis|nach (?:dem (?:release|urlaub|sommer)|de[nr] (?:ferien|kampagne)|ostern|weihnachten|neujahr))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:pas (?:maintenant|avant|tout de suite)|plus tard|un (?:autre )?jour${END}|la (?:semaine|prochaine) (?:prochaine|fois)${END}|peu(?:t|vent) attendre|redemande|(?:on verra|à voir) en|après (?:la campagne|les vacances|noël|pâques|l['’]été))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:ahora no|no ahora|más tarde|(?:otro|algún) día|la próxima semana${END}|puede(?:n)? esperar|recuérda(?:me|nos) en|después de (?:las vacaciones|la campaña|navidad))(?![\p{L}])`,
    '(?:以后|稍后|晚点|下周|明天|改天)再|(?:後|あと)で|来週(?:に|お願い)|また今度|나중에',
  ].join('|'),
  'iu',
)
/** Sentences with such words are quoted, and nothing is decided by them alone. */
const saysLater = (sentence: string): boolean => LATER.test(sentence)

/** What is to be left, as a clause of its own. Behind a word that answers, it is the answer to an offer. */
const LEAVE_IT =
  /^(?!(?:no|nope|nah|wait|yes|yeah|ok(?:ay)?|actually|hm+|sorry|stop|fine|nein|ja|doch|non|oui|das|es|ça|c['’]est)(?![\p{L}]))(?:.{1,120}[,;:] )?(?:(?:please |just )?leave (?:it|that|this|them|that one|those)(?: alone)?(?=\s{0,3}(?:[.,;!]|$)| until )|(?<=, )(?:lass|laisse)(?=\s{0,3}(?:[.,:;!]|$)))/iu

/** Whether a sentence orders to leave what it names, or the one before it does. */
const leaves = (sentence: string): boolean => LEAVE_IT.test(sentence)

/** Whether it does not name it. */
const leavesIt = (sentence: string): boolean => /^(?:please |just )?leave (?:it|that|this|them|those)\b/i.test(sentence)

/** Words by which a user wants to be reminded. What the user wants to know again is said at once. */
const REMIND =
  /(?<![\p{L}])(?:(?:on|to) (?:your|the) (?:to-?do )?list for (?:later|after|when|once) |remind me (?:(?!(?:what|why|how|which|where|who|of|again)(?![\p{L}]))\S{1,20} ){0,6}(?:to|that|about) |erinnere? mich(?! (?:nicht|noch ?mal|was|wie|warum)(?![\p{L}]))|rappelle(?:z)?[- ](?:moi|nous) (?:de |d['’]|que |quand |demain |après |dès )|recu[ée]rd[ae](?:me|nos) (?:que |de |cuando |después |mañana |(?=\p{L}{2,20}[aei]r(?:l[oae]s?)?(?![\p{L}]))))/iu

/** Words that say when something is to be done. */
const WHEN = new RegExp(
  String.raw`(?<![\p{L}])(?:later(?! than)|afterwards|after(?! all(?![\p{L}]))|once (?:that|this|these|the|it|you|we|they|#?\S{1,30} (?:is|are|has|have))(?![\p{L}])|only (?:when|after|if)|when(?! you)|as soon as|tomorrow|tonight|next (?:week|month|sprint)|at the end|später|nachher|danach|hinterher|morgen|nächste woche|am ende|sobald|erst|wenn(?! du)|nach de[mnr]|plus tard|après|dès que|une fois (?:que|l[ae]s?)|quand(?! tu)|demain|à la fin|más tarde|luego|después|en cuanto|una vez que|cuando|mañana|al final)(?![\p{L}])`,
  'iu',
)

/** Words of what holds for all work. */
const RULE =
  /(?<![\p{L}])(?:always|never|each|every|whenever|don['’]t|do not|immer|nie(?:mals)?|jede[snmr]?|toujours|jamais|chaque|siempre|nunca|cada)(?![\p{L}])|^(?:only|nur|seulement|s[oó]lo)(?![\p{L}])/iu

const POLITE =
  /(?<![\p{L}])(?:please|pls|(?:can|could|would|will) you|bitte|kannst du|könntest du|stp|svp|s['’]il te pla[iî]t|peux-tu|pourrais-tu|por favor|puedes|podrías)(?![\p{L}])/iu

/** Words for which one waits for an answer, and not for work. */
const TELL =
  /(?<![\p{L}])(?:explain|tell|show|describe|say|summarize|erklär\p{L}{0,3}|sag|zeig|explique[rz]?|dis|montre|explica|explícame|dime|muestra)(?![\p{L}])/iu

/** The first words of clauses that give no order. */
const NO_ORDER = new Set(
  `i we it that this these they he she there the a an my our your you what why how which who where when once after afterwards later as if is are was
  were does did has have nothing everything yes no thanks thx oh ah hm hmm hey hi hello well wow nice great good perfect cool top super sorry tomorrow tonight next at only ok okay not but
  ich wir es das dies die der den dem ein eine mein unser was wie warum wer wo wann wenn sobald nach nachher danach später morgen erst ist sind
  gibt hat haben war ja nein danke am noch aber
  je j nous c ça il elle on le la les un une mon notre quand dès après plus ensuite demain à pas mais merci oui
  yo nosotros es el los las una mi cuando después luego en más mañana eso esto ahora no pero gracias sí`.split(/\s+/),
)

const LEAD = /^(?:(?:and|also|then|so|well|und|auch|dann|et|aussi|puis|y|también)[ ,]+){1,3}/iu

/** Whether a sentence asks for work. */
export const isOrder = (sentence: string): boolean =>
  POLITE.test(sentence) ||
  (!QUESTION_AT_END.test(sentence) &&
    sentence.split(/[,;:]\s/).some((clause) => {
      const [word = ''] = /^[\p{L}]+/u.exec(clause.trim().replace(LEAD, '')) ?? []
      return word !== '' && !NO_ORDER.has(word.toLowerCase())
    }))

/** The words by which an agent agrees to do something later. */
const AGREED =
  /^(?:ok(?:ay)?|noted|understood|sure|will do|got it|al(?:l )?right|yes|fine|good|notiert|verstanden|(?:alles )?klar|mach(?:e)? ich|gut|ja|in ordnung|noté|compris|d['’]accord|entendu|bien|oui|anotado|entendido|vale|de acuerdo|claro|sí)(?![\p{L}])|(?<![\p{L}])(?:i(?:['’]ll| will)|werde ich|ich (?:werde|erinnere|prüfe|mache|schreibe|lösche)|je (?:l[ea] |te |les )?(?:ferai|rappellerai|vérifierai)|je vais|lo haré|voy a|te (?:aviso|lo recuerdo|recordaré))(?![\p{L}])/iu

const MAX_AGREED_CHARACTERS = 300
const MAX_CHARACTERS = 400
const MAX_SENTENCES = 20

/** As many of them, the newest, are written. */
export const MAX_POSTPONED = 8

/** Returns what the user postpones, oldest first. @param earlier what an earlier summary has of it */
export function findPostponed(
  turns: readonly WorkTurn[],
  checks: WorkChecks,
  earlier: readonly PostponedWords[] = [],
): PostponedWords[] {
  const own = turns.flatMap((turn, index) => {
    const question = readQuestionAtEnd(turns[index - 1]?.answer?.text ?? '')
    return postponedIn(turn, checks).map(({ words, isBare, back }): PostponedWords => {
      const asked = isBare ? question : undefined
      return {
        ...{ words, at: turn.at, ...(asked !== undefined && { asked }) },
        ...(back !== undefined && { since: { by: 'user', words: back } }),
      }
    })
  })
  const all = [...earlier, ...own]
  const postponed = new Set(all.map(({ words }) => words))
  return all.map((one, index) => {
    const since = index < all.length - MAX_COMPARED ? undefined : saidSince(one, turns)
    // What postpones something itself has a line of its own.
    return since === undefined || postponed.has(since.words) ? one : { ...one, since }
  })
}

const MAX_COMPARED = 24

/** What a sentence postpones, and the words after it that take it back. */
interface PutOff {
  words: string
  isBare: boolean
  back: string | undefined
}

/** Returns the sentences of a request that postpone something: also those that are to be done at another time, if the agent has only agreed to that. */
function postponedIn({ request, at, answer }: WorkTurn, checks: WorkChecks): PutOff[] {
  const sentences = sentencesOf(request).slice(0, MAX_SENTENCES)
  const hasOnlyAgreed =
    answer !== undefined &&
    AGREED.test(answer.text) &&
    answer.text.length <= MAX_AGREED_CHARACTERS &&
    !QUESTION_AT_END.test(answer.text.trim()) &&
    Math.max(checks.lastChange(answer.at), checks.lastRun(answer.at)) <= at
  const isAgreed = (sentence: string): boolean =>
    hasOnlyAgreed && WHEN.test(sentence) && !RULE.test(sentence) && !TELL.test(sentence) && isOrder(sentence)
  const isLater = (sentence: string): boolean =>
    REMIND.test(sentence) ||
    postponesSomething(sentence) ||
    leaves(sentence) ||
    (saysLater(sentence) && !RULE.test(sentence)) ||
    isAgreed(sentence)
  return sentences.flatMap((sentence, index): PutOff[] => {
    const back = wordsOfChange(sentences.slice(index + 1))
    if (isNotNow(sentence) && index === 0) return [{ words: sentence, isBare: true, back }]
    const before = leavesIt(sentence) ? sentences[index - 1] : undefined
    if (before !== undefined) return [{ words: `${before} ${sentence}`, isBare: false, back }]
    const isPut = isNotNow(sentences[index + 1] ?? '') || (isLater(sentence) && !isNotNow(sentence))
    return isPut && sentence.length <= MAX_CHARACTERS
      ? [{ words: withNext(request, sentences, index), isBare: false, back }]
      : []
  })
}

/** Returns a sentence with the one after it on its line, if that is as short as `Not now.` or `Drop it.` */
function withNext(request: string, sentences: readonly string[], index: number): string {
  const [sentence = '', next = ''] = sentences.slice(index, index + 2)
  const both = `${sentence} ${next}`
  const isOne = next !== '' && next.length <= MAX_SHORT_CHARACTERS && !changesMind(next) && request.includes(both)
  return (isOne ? both : sentence).replace(/^\[.?\]\s*/, '')
}

const MAX_SHORT_CHARACTERS = 24

/** Returns the newest sentence after a postponement that is about the same: one of the user, or a claim of the agent. */
function saidSince({ words, at, asked }: PostponedWords, turns: readonly WorkTurn[]): PostponedWords['since'] {
  const things = thingsIn(asked ?? words)
  for (const { request, answer } of turns.filter((turn) => turn.at > at).reverse()) {
    const claim = answer?.claims.find(({ text }) => isAbout(text, things))?.text
    if (claim !== undefined) return { by: 'agent', words: claim }
    const said = sentencesOf(request)
    const found = said.findIndex((sentence) => isAbout(sentence, things))
    if (found >= 0) return { by: 'user', words: withNext(request, said, found) }
  }
  return undefined
}

/** A sentence is about something if it has so many of its words, and such a share. */
const MIN_ABOUT = 2
const ABOUT_SHARE = 0.5

function isAbout(sentence: string, things: readonly ReadonlySet<string>[]): boolean {
  const said = subjectOf(sentence)
  return things.some(
    (thing) => sharedShare(thing, said) >= Math.max(ABOUT_SHARE, Math.min(MIN_ABOUT, thing.size) / thing.size),
  )
}

/** Returns the words for the things that a postponement names, by its clauses: one that only says when has none. */
const thingsIn = (words: string): ReadonlySet<string>[] =>
  words
    .split(/[,;:.—–]\s/)
    .map((clause) => new Set([...subjectOf(clause.replace(WHEN, ' '))].filter((word) => !PUTTING_OFF.has(word))))
    .filter((thing) => [...thing].join('').length >= MIN_THING_CHARACTERS)

/** Less names nothing. */
const MIN_THING_CHARACTERS = 3

const PUTTING_OFF = subjectOf(
  `wait with hold off postpone leave keep ask remind again until till only monday tuesday wednesday thursday friday week month year
  warte mit bis erst attends avec jusqu espera hasta kein keine vorher jetzt nicht not no before new then have hmm don haven isn t`,
)
