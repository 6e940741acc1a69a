import { isPathArgument } from '../files/collect-files.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { cutMiddle, fixed, type Piece, type PieceValue } from './transcript-piece.ts'

/** Returns a call as one line, `read(path="a.ts", limit=5)`; arguments that are not an object as `name(JSON)`. */
export function callPieces({ name, arguments: values }: ToolCallBlock, value: PieceValue): Piece[] {
  const pieces = isRecord(values)
    ? Object.entries(values).flatMap(([key, one], index) => [
        fixed(`${index === 0 ? '' : ', '}${writeName(key)}=`),
        argumentPiece(key, one, value),
      ])
    : [argumentPiece('', values, value)]
  return [fixed(`${writeName(name)}(`), ...pieces, fixed(')')]
}

/** Names that need no quotes in a call: no character in them can end the call or begin another line. */
const PLAIN_NAME = /^[\p{L}\p{N}_.:/$@-]+$/u

const writeName = (name: string): string => (PLAIN_NAME.test(name) ? name : writeJson(name))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An argument as JSON. A path is never cut: the agent needs it as it is. */
function argumentPiece(key: string, argument: unknown, value: PieceValue): Piece {
  if (typeof argument !== 'string') return nestedPiece(argument, value)
  const text = replaceLoneSurrogates(argument)
  if (isPathArgument(key)) return fixed(writeJson(text))
  return {
    text: writeJson(text),
    value: OLD_TEXT.test(key) ? 'old-version' : value,
    cut: (characters) => writeJson(cutMiddle(text, characters)),
  }
}

/** Arguments with the text that an edit replaces: `oldText` is pi's, `old_string` Claude Code's. */
const OLD_TEXT = /^old_?(?:text|str|string)$/i

function nestedPiece(argument: unknown, value: PieceValue): Piece {
  const text = writeJson(argument)
  // A list that is cut is not valid JSON any more: it is shown as a string.
  return { text, value, cut: (characters) => writeJson(cutMiddle(text, characters)) }
}

/** Returns a value as JSON on one line: `JSON.stringify` escapes all line ends but these two of Unicode. */
function writeJson(value: unknown): string {
  try {
    const json = JSON.stringify(value)
    const whole = LONE_SURROGATE.test(json) ? JSON.stringify(value, replaceInStrings) : json
    return whole.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
  } catch {
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack.
    return '"(nested too deeply to be shown)"'
  }
}

/** `JSON.stringify` escapes nothing else like this. */
const LONE_SURROGATE = /\\ud[89a-f]/

const replaceInStrings = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? replaceLoneSurrogates(value) : value
