import { sentencesOf } from './done-claims.ts'
import { stemsOf } from './same-words.ts'
import { isSmallTalk, QUESTION_AT_END, readQuestionAtEnd } from './user-text.ts'
import type { WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** A question of the agent that the user has answered. */
export interface AnsweredQuestion {
  stems: ReadonlySet<string>
  /** The message with the answer: an index. */
  at: number
}

/** How the beginning of a step names a question that is left to ask. */
const ASK =
  /^(?:ask(?: (?:the (?:user|owner|customer|client)|him|her|them))?(?: (?:whether|if|about))?|(?:den (?:nutzer|benutzer|kunden) )?fragen?,? ob) /i

/** Words of a question that do not say what it is about, and those that stand for the person who is asked. */
const EMPTY = stemsOf(
  'do does did have has had was were be been can could will would shall should may might user he she they him her them his their there er sie hat haben ist sind wird',
)

/** What a question is about. Irregular verbs differ in their vowel only: `fed` and `feed`. */
const subjectOf = (text: string): Set<string> =>
  new Set([...stemsOf(text)].filter((stem) => !EMPTY.has(stem)).map(withoutVowels))

const withoutVowels = (stem: string): string => {
  const left = stem.charAt(0) + stem.slice(1).replace(/[aeiou]/g, '')
  return /^[a-z]+$/.test(stem) && left.length > 1 ? left : stem
}

const SAYS_YES_OR_NO = /^(?:yes|no|yep|nope|sure|ja|nein|oui|non|sí|si|sim|não)\b/i

/** Returns the questions at the ends of turns that the user's next words answer: they say yes or no, or have a word of the question. */
export function answeredQuestions(turns: readonly WorkTurn[]): AnsweredQuestion[] {
  return turns.flatMap(({ answer }, index) => {
    const next = turns[index + 1]
    const question = answer === undefined ? undefined : readQuestionAtEnd(answer.text)
    if (question === undefined || next === undefined) return []
    const stems = subjectOf(question)
    const isAnswered = SAYS_YES_OR_NO.test(next.request) || [...subjectOf(next.request)].some((stem) => stems.has(stem))
    return isAnswered ? [{ stems, at: next.at }] : []
  })
}

/** A question for information, up to its mark. */
const INQUIRY = new RegExp(
  String.raw`(?:^|¿|[.,:;!?]\s)(?:(?:and|but|so|q|question|ok(?:ay)?|und|aber|frage|et|mais|y|pero)[:,]? ){0,2}(?:what(?! about)|why(?! not| don)|how(?! about)|which|who|where|do|does|did|is|are|was|were|has|have|wer|wie(?! wäre)|wo|wann|warum|wieso|welche[rsnm]?|ist|sind|hat|gibt|pourquoi|comment|combien|quel(?:le)?s?|où|quoi|est-ce|y a-t-il|qu['’]est-ce|qué|por qué|cómo|cuál(?:es)?|cuánt[oa]s?|quién|dónde|hay)(?![\p{L}])[^.!?]{1,200}\?`,
  'iu',
)

/** Words by which a question asks for work. */
const ORDER =
  /(?<![\p{L}])(?:(?:can|could|would|will) (?:you|we|it|the)|please|pls|kannst|könntest|könnt|würdest|sollten wir|bitte|peux|pourrais|pouvez|stp|svp|puedes|podrías|por favor)(?![\p{L}])/iu

/** Whether a request only asks something. */
export const isInquiry = (request: string): boolean =>
  INQUIRY.test(request) &&
  !ORDER.test(request) &&
  sentencesOf(request).every((sentence) => QUESTION_AT_END.test(sentence) || isSmallTalk(sentence))

/** Sets the state of a step by which the agent was to ask the user something, if it has, and the user has answered. */
export function settleAsked(item: WorkItem, questions: readonly AnsweredQuestion[]): boolean {
  const provenAt = answeredAt(item.text, questions)
  if (provenAt === undefined || provenAt <= item.at) return false
  Object.assign(item, { state: 'answered', provenAt })
  return true
}

/** Returns the message in which the user has answered what a step wants to ask; undefined if it is no such step, or is not answered. */
function answeredAt(step: string, questions: readonly AnsweredQuestion[]): number | undefined {
  if (!ASK.test(step)) return undefined
  const asked = [...subjectOf(step.replace(ASK, ''))]
  return asked.length < MIN_STEMS
    ? undefined
    : questions.findLast(({ stems }) => asked.every((stem) => stems.has(stem)))?.at
}

/** Fewer words may be in many questions. */
const MIN_STEMS = 2
