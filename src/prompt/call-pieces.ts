import { isPathArgument } from '../files/paths.ts'
import { isObject } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { fixed, type Piece, type PieceValue } from './transcript-piece.ts'

/** Returns a call as one line, `read(path="a.ts", limit=5)`; arguments that are not an object as `name(JSON)`. */
export function callPieces({ name, arguments: values }: ToolCallBlock, value: PieceValue): Piece[] {
  const pieces =
    isObject(values) && !Array.isArray(values)
      ? Object.entries(values).flatMap(([key, one], index) => [
          fixed(`${index === 0 ? '' : ', '}${writeName(key)}=`),
          argumentPiece(key, one, value),
        ])
      : [argumentPiece('', values, value)]
  return [fixed(`${writeName(name)}(`), ...pieces, fixed(')')]
}

/** Names that need no quotes in a call: no character in them can end the call or begin another line. */
const PLAIN_NAME = /^[\p{L}\p{N}_.:/$@-]+$/u

const writeName = (name: string): string => (PLAIN_NAME.test(name) ? name : writeJsonLine(name))

/** An argument as JSON. A path is never cut: the agent needs it as it is. A list that is cut is shown as a string. */
function argumentPiece(key: string, argument: unknown, value: PieceValue): Piece {
  if (typeof argument !== 'string') return new ArgumentPiece(argument, value)
  if (isPathArgument(key)) return fixed(writeJsonLine(argument))
  return new ArgumentPiece(argument, OLD_TEXT.test(key) ? 'old-version' : value)
}

/** It is written as JSON when that is first asked for: of most long arguments only a part is shown. */
class ArgumentPiece implements Piece {
  readonly value: PieceValue
  readonly form = 'json'
  readonly #argument: unknown
  #text: string | undefined

  constructor(argument: unknown, value: PieceValue) {
    this.#argument = argument
    this.value = value
  }

  get text(): string {
    return (this.#text ??= writeJsonLine(this.#argument))
  }

  get content(): string {
    return typeof this.#argument === 'string' ? replaceLoneSurrogates(this.#argument) : this.text
  }
}

/** Arguments with the text that an edit replaces: `oldText` is pi's, `old_string` Claude Code's. */
const OLD_TEXT = /^old_?(?:text|str|string)$/i

/** Returns a value as JSON on one line: `JSON.stringify` escapes all line ends but these two of Unicode. */
export function writeJsonLine(value: unknown): string {
  try {
    const json = JSON.stringify(value)
    const whole = json.includes('\\ud') && LONE_SURROGATE.test(json) ? JSON.stringify(value, replaceInStrings) : json
    return whole.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  } catch {
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack.
    return '"(nested too deeply to be shown)"'
  }
}

/** `JSON.stringify` escapes nothing else like this. */
const LONE_SURROGATE = /\\ud[89a-f]/

const replaceInStrings = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? replaceLoneSurrogates(value) : value
