import type { Message } from '../../session/message.ts'
import { readBlocks } from '../../session/parse-transcript.ts'
import { findFirstBracket, splitBrackets } from './bracket-labels.ts'

/**
 * Reads the newer messages that opencode 2 keeps beside a summary, as a transcript with labels in brackets. Nothing says who wrote
 * what precedes the first label: it may be the end of any message.
 */
export function readKeptMessages(text: string): Message[] {
  const at = findFirstBracket(text)
  const lead = (at < 0 ? text : text.slice(0, at)).trim()
  const spoken = at < 0 ? [] : readBlocks(splitBrackets(text.slice(at))).map(({ message }) => message)
  return lead === '' ? spoken : [{ role: 'custom', content: [{ type: 'text', text: lead }] }, ...spoken]
}
