import { sentencesOf } from './done-claims.ts'
import { isNotNow } from './verdict-words.ts'
import { QUESTION_AT_END } from './user-text.ts'
import type { WorkChecks } from './work-checks.ts'
import type { WorkTurn } from './work-turns.ts'

/** Work that a user asks for, but not now. */
export interface Deferred {
  /** What is asked for. */
  sentence: string
  /** The sentence without the words that say when. */
  task: string
  /** The words that say when, or that it is not to be done now. */
  until: string
  /** Whether the message asks for nothing else. */
  isWhole: boolean
}

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
const MAX_CHARACTERS = 300
const MAX_SENTENCES = 20

/**
 * Returns the work that a user asks for, but not now: to be reminded, what is followed by "not now", and what is to be done at another time
 * if the agent has only agreed to that.
 */
export function readDeferred({ request, at, answer }: WorkTurn, checks: WorkChecks): Deferred[] {
  const sentences = sentencesOf(request).slice(0, MAX_SENTENCES)
  const hasOnlyAgreed =
    answer !== undefined &&
    AGREED.test(answer.text) &&
    answer.text.length <= MAX_AGREED_CHARACTERS &&
    !QUESTION_AT_END.test(answer.text.trim()) &&
    Math.max(checks.changed.last(answer.at), checks.lastRun(answer.at)) <= at
  const isLater = (sentence: string): boolean =>
    hasOnlyAgreed && WHEN.test(sentence) && !RULE.test(sentence) && !TELL.test(sentence) && isOrder(sentence)
  const untilOf = (sentence: string, index: number): string | undefined => {
    const next = sentences[index + 1] ?? ''
    if (sentence.length > MAX_CHARACTERS || isNotNow(sentence)) return undefined
    if (isNotNow(next) && isOrder(sentence)) return next
    if (!REMIND.test(sentence) && !isLater(sentence)) return undefined
    return sentence.split(/[,;]\s/).find((clause) => WHEN.test(clause)) ?? sentence
  }
  const found = sentences.map(untilOf)
  const isWhole = sentences.every((sentence, at) => found[at] !== undefined || !isOrder(sentence))
  return sentences.flatMap((sentence, index) => {
    const until = found[index]
    return until === undefined ? [] : [{ sentence, task: taskIn(sentence), until, isWhole }]
  })
}

/** Returns a sentence without the clause that says when, or without the words from there on, and without those that only ask for it. */
function taskIn(sentence: string): string {
  const clauses = sentence.split(/[,;]\s/)
  const other = clauses.find((clause) => !WHEN.test(clause) && isOrder(clause))
  return (other ?? sentence.slice(0, WHEN.exec(sentence)?.index)).replace(REMIND, ' ').replace(POLITE, ' ')
}
