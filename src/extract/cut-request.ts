import { closeMarks } from '../text/close-marks.ts'
import { countCharacters, firstCharacters, gapNote, textsAroundGaps, truncateMiddle } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { namesCause } from './error-lines.ts'
import { splitPasted } from './pasted.ts'

/** Up to this length, a message of the user stays word for word. */
export const REQUEST_CHARACTERS = 4000

/** Up to this length, what the user wrote himself in the newest request stays word for word. */
const MAX_OWN_CHARACTERS = 16_000

/** The share of the output limit that the newest request may take, and the same for the other messages of the user. */
export const USER_SHARE = 0.25

/** A request as a summary quotes it. */
interface QuotedRequest {
  /** With a note where something is left out. */
  text: string
  /** The parts of the text around the notes. */
  kept: readonly string[]
  isCut: boolean
}

/**
 * Returns a request, with its pastes cut if it has more than 4,000 characters or a number of tokens. Of what the user wrote himself,
 * the middle is left out beyond 16,000 characters or that number of tokens.
 */
export function cutRequest(request: string, maxTokens: number): QuotedRequest {
  const fits = (text: string): boolean => text.length <= MAX_OWN_CHARACTERS && estimateTextTokens(text) <= maxTokens
  if (request.length <= REQUEST_CHARACTERS && fits(request)) return { text: request, kept: [request], isCut: false }
  const blocks = splitPasted(request)
  const cuts = [shortener(blocks, request.length), cutPaste, leaveOut].map((cut) => replacePastes(blocks, cut))
  const text = cuts.find(fits) ?? cutMiddle(cuts.at(-1) ?? request, maxTokens)
  return { text, kept: textsAroundGaps(text), isCut: text !== request }
}

/** A text cannot be shorter with a note for what is left out. */
const MIN_CHARACTERS = 100

function cutMiddle(text: string, maxTokens: number): string {
  const tokens = estimateTextTokens(text)
  const characters = Math.floor((text.length * Math.min(tokens, maxTokens)) / tokens)
  return closeMarks(truncateMiddle(text, Math.max(MIN_CHARACTERS, Math.min(MAX_OWN_CHARACTERS, characters))))
}

/** A paste of so many lines and characters stays as it is. */
const MAX_LINES = 4
const MAX_CHARACTERS = 400

/** Of a longer one, so many lines stay: they say what was pasted. They are short enough to stay at the next compaction too. */
const KEPT_LINES = 2
const MAX_LINE_CHARACTERS = 110

type Blocks = ReturnType<typeof splitPasted>

const replacePastes = (blocks: Blocks, cut: (paste: string) => string): string =>
  blocks.map((block) => (block.isPasted ? cut(block.text) : block.text)).join('\n')

/** Returns a function that cuts the middle of a paste, so that the message has 4,000 characters if what the user wrote allows that. */
function shortener(blocks: Blocks, characters: number): (paste: string) => string {
  const pastes = blocks.flatMap((block) => (block.isPasted ? block.text.length : []))
  const own = characters - pastes.reduce((sum, length) => sum + length, 0)
  const room = Math.max(MAX_CHARACTERS, Math.floor((REQUEST_CHARACTERS - own) / pastes.length))
  return (paste) => (paste.length <= room ? paste : closeMarks(truncateMiddle(paste, room)))
}

/** Returns a message with its long pastes cut to their beginning and the line that says what went wrong. */
export const cutPastes = (text: string): string => replacePastes(splitPasted(text), cutPaste)

function cutPaste(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= MAX_LINES && text.length <= MAX_CHARACTERS) return text
  const head = lines.slice(0, KEPT_LINES)
  const cause = head.some(namesCause) ? undefined : lines.slice(KEPT_LINES).find(isCause)
  const kept = [...head, ...(cause === undefined ? [] : [cause])].map((line) =>
    firstCharacters(line, MAX_LINE_CHARACTERS),
  )
  const left = countCharacters(text) - kept.join('\n').length
  return closeMarks([...kept, gapNote(left)].join('\n'))
}

const isCause = (line: string): boolean => line.length <= MAX_CHARACTERS && namesCause(line)

/** A shorter paste is hardly longer than the note in its place. */
const MIN_LEFT_OUT = 60

const leaveOut = (paste: string): string => (paste.length < MIN_LEFT_OUT ? paste : gapNote(countCharacters(paste)))

/** Extracts quote this much of a request, since code adds its full text. */
const EXCERPT_CHARACTERS = 500

/** Returns the beginning of a request, as extracts quote it. Code finds it by this text, and replaces it with the whole. */
export function excerptOf(request: string): string {
  const text = request.trim()
  const fits = (one: string): boolean => one.length <= EXCERPT_CHARACTERS
  if (fits(text)) return text
  const blocks = splitPasted(text)
  const cut = [cutPaste, leaveOut].map((one) => replacePastes(blocks, one))
  return cut.find(fits) ?? closeMarks(truncateMiddle(cut.at(-1) ?? text, EXCERPT_CHARACTERS))
}

/** The name of a request is that much of it: the whole of a shorter one. */
const NAME_CHARACTERS = 140

/** If the user wrote less than that himself, a name has the beginning of the paste too. */
const MIN_OWN_CHARACTERS = 40

/** Returns the words of a request that name it on one line: first what the user wrote himself. */
export function namingWords(request: string): string {
  if (request.length <= NAME_CHARACTERS) return request
  const blocks = splitPasted(request)
  const textOf = (isPasted: boolean): string =>
    blocks.flatMap((block) => (block.isPasted === isPasted ? block.text : [])).join('\n')
  const own = textOf(false)
  return own.trim().length < MIN_OWN_CHARACTERS ? `${own}\n${textOf(true)}`.trim() : own
}
