import { neutralizeTags } from '../agents/control-tags.ts'
import { PLAIN_ID } from '../recall/short-ids.ts'
import { withoutControls } from '../text/controls.ts'
import { oneLine, replaceLoneSurrogates, shorten } from '../text/shorten.ts'

/** The limit of an answer, in UTF-16 units: agents cut longer ones, each in its own way. */
const MAX_ANSWER_CHARACTERS = 7900

/** Room for the last line. */
const END_CHARACTERS = 200

/** Returns how many characters an answer has room for below its head, without its last line. */
export const roomBelow = (head: string): number => MAX_ANSWER_CHARACTERS - END_CHARACTERS - head.length

/** Gemini CLI writes it around what a tool returns. */
const TAGS = ['untrusted_context']

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Returns text of a session in which nothing looks like a tag of an agent, and nothing controls a terminal. */
const plain = (text: string): string =>
  neutralizeTags(withoutControls(replaceLoneSurrogates(text).replace(LINE_ENDS, '\n')), TAGS)

/** Returns text of a session as quoted lines: whatever it says, no line of it looks like one of ours. */
export const quoteLines = (text: string): string =>
  plain(text)
    .split('\n')
    .map((line) => `| ${line}`.trimEnd())
    .join('\n')

/** Returns text of a session within a line of ours, in double quotes. */
export const quoteInLine = (text: string, maxCharacters: number): string =>
  JSON.stringify(shorten(oneLine(plain(text)), maxCharacters))

/** Longer names of files and ids are data. */
const MAX_NAME_CHARACTERS = 200

/** Returns an id, a path or the name of a tool within a line of ours: in double quotes, unless it is one plain word. */
export const quoteName = (name: string, maxCharacters = MAX_NAME_CHARACTERS): string =>
  name.length <= maxCharacters && PLAIN_ID.test(name) ? name : quoteInLine(name, maxCharacters)
