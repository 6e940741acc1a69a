import type { Message } from '../session/message.ts'
import { oneLine } from '../text/shorten.ts'
import { withoutPasted } from './pasted.ts'
import { areAllIn, stemsOf } from './same-words.ts'
import { findSentences } from './statements.ts'
import { readUserText } from './user-text.ts'

/** Somebody else has to say something first: `until the accountant has confirmed the new sum`. The agent, and a program, is not somebody. */
const WAITING = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:until|till|waiting for|wait for)\s(?!you\b|it\b|they\b|this\b|that\b|all\b|every|(?:the |all )?(?:tests?|checks?|builds?|ci|commands?|process)\b)(.{1,60}?(?<![\p{L}])(?:confirm|approv|answer|decid|repl|agree|respond|review|accept|sign|giv|send|sent)\w*)`,
    String.raw`(?<![\p{L}])(?:bis|solange)\s(?!du\b|es\b|alle\b|(?:die )?tests?\b)(.{1,60}?(?<![\p{L}])(?:bestätig|zustimm|zugestimmt|geantwortet|antwortet|entschieden|entscheidet|freigegeben|freigibt|genehmig)\p{L}*)`,
    String.raw`(?<![\p{L}])(?:jusqu['’]à ce que|tant que)\s(?!tu\b)(.{1,60}?(?<![\p{L}])(?:confirm|valid|répond|approuv|décid)\p{L}*)`,
    String.raw`(?<![\p{L}])hasta que\s(?!tú\b)(.{1,60}?(?<![\p{L}])(?:confirm|aprueb|respond|decid)\p{L}*)`,
  ].join('|'),
  'iu',
)

const MAX_SENTENCE_CHARACTERS = 300
const MAX_WAITING = 4

/**
 * Returns the sentences by which a user says that something waits for somebody, oldest first: no later message of the user names the
 * same thing without waiting for it.
 * @param earlier those of an earlier summary
 */
export function findWaiting(messages: readonly Message[], earlier: readonly string[] = []): string[] {
  const open = new Map<string, ReadonlySet<string>>()
  for (const sentence of earlier) open.set(sentence, awaitedIn(sentence))
  for (const sentence of userSentences(messages)) {
    const awaited = awaitedIn(sentence)
    const isWaiting = awaited.size > 0 && sentence.length <= MAX_SENTENCE_CHARACTERS
    const stems = isWaiting ? awaited : stemsOf(sentence)
    for (const [known, words] of open) if (words.size > 0 && areAllIn(words, stems)) open.delete(known)
    if (isWaiting) open.set(sentence, awaited)
  }
  return [...open.keys()].slice(-MAX_WAITING)
}

/** Returns the sentences of the user, each on one line, oldest first. */
export const userSentences = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => {
    const text = readUserText(message)
    return text === undefined ? [] : findSentences(withoutPasted(text)).map(oneLine)
  })

/** Returns the words about who is to say what. */
function awaitedIn(sentence: string): ReadonlySet<string> {
  const found = WAITING.exec(sentence)
  const words = stemsOf(found === null ? '' : found.slice(1).join(''))
  for (const word of ['has', 'have', 'had', 'hat', 'haben', 'ha', 'a', 'ait']) words.delete(word)
  return words
}
