import { oneLine } from './facts.ts'
import { textOf, type SessionEntry } from './session-entry.ts'

const DEMAND = /\b(?:must|never|always|only|don'?t|do not)\b/i
const MIN_CHARACTERS = 15
const MAX_CHARACTERS = 250

/** A message this long is a paste with few words of the user. */
const MAX_MESSAGE_CHARACTERS = 1500

/** "I don't think that works" is not a demand. */
const OPINION = /\b(?:i|we|you|they|it|people)\s+(?:don'?t|do not|only)\b|\bthere'?s only\b|\?$/i

/** Finds the demands of the user of a real session: sentences with a word that demands or forbids. */
export function findDemands(entries: readonly SessionEntry[]): string[] {
  const said = entries.flatMap(({ message }) => (message?.role === 'user' ? [textOf(message)] : []))
  const sentences = said
    .filter((text) => text.length <= MAX_MESSAGE_CHARACTERS)
    .flatMap((text) => text.split(/\n|(?<=[.!?])\s+/))
    .map(oneLine)
  const demands = sentences.filter(
    (text) =>
      text.length >= MIN_CHARACTERS && text.length <= MAX_CHARACTERS && DEMAND.test(text) && !OPINION.test(text),
  )
  return [...new Set(demands)]
}
