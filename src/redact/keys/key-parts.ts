import type { Secret } from '../rule.ts'
import { isKeyText } from './key-lines.ts'

/** A longer text is no part of a key. */
const PART_CHARACTERS = 8_000

/** Lines of one width, as programs write keys; a part of a line may stand before them and behind them. */
const PART =
  /^\s{0,20}(?:[A-Za-z0-9+/]{1,76}\r?\n)?(?<first>[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?:\r?\n(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})){2,100}(?:\r?\n[A-Za-z0-9+/]{0,76}={0,2})?\s{0,20}$/

/**
 * Returns a text that is nothing but lines of Base64 as a secret: a key may have been cut at both ends (`sed -n 5,20p`). If it
 * is a part of something else, a summary does not need it.
 */
export function findPartOfKey(text: string): Secret[] {
  const first = text.length > PART_CHARACTERS ? undefined : PART.exec(text)?.groups?.['first']
  if (first === undefined || !isKeyText(first)) return []
  const start = text.search(/\S/)
  return [{ start, end: text.trimEnd().length, kind: 'private-key' }]
}
