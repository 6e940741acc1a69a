import { isNamed, subjectOf } from './claimed-parts.ts'
import { isShortfall, sentencesOf } from './done-claims.ts'
import { isUnverified } from './left-words.ts'
import { areAllIn } from './same-words.ts'
import { AGENT_NOTE, type ReadTurn, type Standing } from './turn-end.ts'
import { isSmallTalk, QUESTION_AT_END } from './user-text.ts'
import { askedIn, CLAUSE, NO_REQUEST, rootsOf } from './work-claims.ts'
import { lastUpTo } from './work-item.ts'
import type { WorkProofs } from './work-proofs.ts'
import type { WorkTurn } from './work-turns.ts'

/** In how many turns what is missing is asked for: later ones are about other work. */
const MAX_TURNS = 8

/**
 * Whether turns have supplied all that an agent says is missing: the user asks for it there, with words that say nothing else, or the
 * agent claims it.
 * @param after the message in which the agent says it: an index
 */
export function isSupplied(said: string, after: number, turns: readonly WorkTurn[]): boolean {
  const start = lastUpTo(turns, after) + 1
  const later = turns.slice(start, start + MAX_TURNS)
  return missingClauses(said).every((clause) => {
    const [roots, words] = [rootsOf(clause), subjectOf(clause)]
    const isAsked = ({ request }: WorkTurn): boolean => askedIn(request).some(({ all }) => areAllIn(all, roots))
    const names = ({ text }: { text: string }): boolean => areAllIn(words, subjectOf(text))
    const isClaimed = ({ answer }: WorkTurn): boolean =>
      answer !== undefined &&
      words.size > 0 &&
      answer.claims.some(names) &&
      !answer.shortfalls.some(({ text }) => isNamed(words, subjectOf(text)))
    return later.some((turn) => isAsked(turn) || isClaimed(turn))
  })
}

/** Whether turns have supplied all that the agent has said is missing of a request. */
export function isTakenUp(
  { shortfalls, answer }: ReadTurn,
  { note = '' }: Standing,
  turns: readonly WorkTurn[],
): boolean {
  const [, said] = AGENT_NOTE.exec(note) ?? []
  if (said === undefined || answer === undefined) return false
  const missing = shortfalls.map(({ text }) => text).filter((text) => !isUnverified(text))
  return [said, ...missing].every((one) => isSupplied(one, answer.at, turns))
}

/** Whether a request at whose end the agent asked something was a question, which it has answered. */
export const isSettled = ({ request, at, answer }: ReadTurn, { checks }: WorkProofs): boolean =>
  answer !== undefined &&
  isInquiry(request) &&
  checks.lastChange(answer.at) <= at &&
  sentencesOf(answer.text).length > 1

/** Words that say how a thing is, and not which one. */
const STATE = rootsOf(
  'still not yet fail missing left open red broken done it they there is are noch nicht fehlt fehlen offen encore pas manque todavía aún falta',
)

/** Returns the clauses that say what is missing, without those that say how something else is. */
function missingClauses(said: string): string[] {
  const namesThing = (clause: string): boolean => [...rootsOf(clause)].some((word) => !STATE.has(word))
  const clauses = said
    .replace(/\([^()]{1,200}\)/g, ' ')
    .split(CLAUSE)
    .filter((clause) => namesThing(clause) && (isShortfall(clause, true) || !NO_REQUEST.test(clause)))
  return clauses.length === 0 ? [said] : clauses
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
const isInquiry = (request: string): boolean =>
  INQUIRY.test(request) &&
  !ORDER.test(request) &&
  sentencesOf(request).every((sentence) => QUESTION_AT_END.test(sentence) || isSmallTalk(sentence))
