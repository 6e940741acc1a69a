import type { MixedChat } from '../agents/apis/read-mixed-chat.ts'
import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from '../session/message-text.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { TOKEN_TABLE } from './token-table.ts'

/** The tokens of one image: the fixed number that pi and oh-my-pi use. */
const IMAGE_TOKENS = 1200

/**
 * Returns an estimate of a text's tokens in OpenAI's o200k_base: within a few percent for prose, code, tool output,
 * JSON, Chinese, Japanese and Russian (bench/RESULTS.md, "tokens"), about fifty times as fast as a tokenizer. All other
 * counts are sums of this one.
 * @returns tokens, an integer of at least 0, and at least 1 for a text that is not empty
 */
export function estimateTextTokens(text: string): number {
  return text === '' ? 0 : Math.max(1, Math.round(sumBoundaries(text)))
}

/**
 * Returns an estimate of a message's tokens in a model's context, as `/context` writes it there: its text, thinking,
 * tool names, arguments as JSON, a summary with the words around it, and 1200 tokens for each image.
 * @returns tokens, an integer of at least 0; the message's own number where it has one
 */
export function estimateMessageTokens(message: Message): number {
  if (message.tokens !== undefined) return message.tokens
  switch (message.role) {
    case 'bashExecution':
      return estimateTextTokens(bashExecutionText(message))
    case 'branchSummary':
      return estimateTextTokens(wrapBranchSummary(message.summary))
    case 'compactionSummary':
      return estimateTextTokens(wrapCompactionSummary(message.summary))
    default:
      return message.content.reduce((sum, block) => sum + estimateBlockTokens(block), 0)
  }
}

export interface ChatTokens {
  instructionTokens: number
  /** The tokens from each entry to the end. */
  toEnd: Float64Array
}

export function measureChat({ entries, instructions }: MixedChat): ChatTokens {
  let instructionTokens = 0
  for (const message of instructions.values()) instructionTokens += estimateMessageTokens(message)
  const toEnd = new Float64Array(entries.length + 1)
  for (const [index, { message }] of [...entries.entries()].reverse())
    toEnd[index] = (toEnd[index + 1] ?? 0) + estimateMessageTokens(message)
  return { instructionTokens, toEnd }
}

function estimateBlockTokens(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text)
    case 'thinking':
      return estimateTextTokens(block.thinking)
    case 'toolCall':
      return estimateTextTokens(block.name) + estimateArgumentTokens(block.arguments)
    case 'image':
      return IMAGE_TOKENS
  }
}

function estimateArgumentTokens(value: unknown): number {
  try {
    return estimateTextTokens(JSON.stringify(value))
  } catch {
    // `JSON.parse` reads any depth; `JSON.stringify` is limited by the stack. Only a hostile body is nested so deeply.
    return 0
  }
}

/** The table counts in units of 1/8192 token. */
const UNITS_PER_TOKEN = 8192

/**
 * The number of classes of UTF-16 units. Each unit of ASCII is a class; white space and control characters have a
 * second class for repetitions, since tokenizers join runs of them; the other classes are ranges of scripts.
 */
export const CLASSES = 192

/** The largest number of tokens between two units in the table: some characters have several tokens. */
export const LARGEST_TOKENS = 4

/** The index of a pair is `(first << ROW_BITS) | second`: rows have 256 places, so that a shift finds them. */
const ROW_BITS = 8

/** Read for the first text, not at the start: a process that only sends and receives bytes never needs it. */
let table: Uint16Array | undefined

/** Up to this length all characters are counted; of a longer text as many characters, and a sixteenth of the rest. */
const WHOLE_CHARACTERS = 1024
const SAMPLE_STEP = 16

/** The length of a sample, in pairs of characters. Samples are taken at equal distances. */
const STRETCH_PAIRS = 128

/** The bit in the class of a unit that continues a run. */
export const RUN = 0x80

/** The class before the first unit: no unit continues it, and its row in the table is empty. */
const NOTHING = 0x7f | RUN

/**
 * Returns the estimated number of o200k tokens of a text: the sum, over neighbouring characters, of the average number
 * of tokens that end between them, and one for the last token. The averages were counted with gpt-tokenizer
 * (scripts/token-table). Long texts are sampled. `npm run bench -- tokens` measures the errors by kind of text.
 * @returns tokens, not rounded; 0 for an empty text
 */
export function sumBoundaries(text: string): number {
  const { length } = text
  if (length === 0) return 0
  if (length <= WHOLE_CHARACTERS) return 1 + sumPairs(text, 0, length)
  const stretches = Math.ceil((WHOLE_CHARACTERS + (length - WHOLE_CHARACTERS) / SAMPLE_STEP) / STRETCH_PAIRS)
  const distance = (length - STRETCH_PAIRS) / stretches
  let sum = 0
  for (let stretch = 0; stretch < stretches; stretch++) {
    const start = Math.floor(stretch * distance)
    sum += sumPairs(text, start, start + STRETCH_PAIRS + 1)
  }
  return 1 + (sum / (stretches * STRETCH_PAIRS)) * (length - 1)
}

/** The units that are being summed: an array of numbers is read faster than a string. */
const UNITS = new Uint16Array(WHOLE_CHARACTERS)
const BYTES = Buffer.from(UNITS.buffer)

/** For fewer units, the call of `write` takes longer than to copy them one by one. */
const MIN_WRITTEN_UNITS = 32

/** Returns the tokens that end between the units of a part of a text. */
function sumPairs(text: string, start: number, end: number): number {
  const units = (table ??= readTokenTable())
  const count = end - start
  if (count >= MIN_WRITTEN_UNITS) BYTES.write(text.slice(start, end), 'utf16le')
  else for (let at = 0; at < count; at++) UNITS[at] = text.charCodeAt(start + at)
  let sum = 0
  let before = NOTHING
  for (let at = 0; at < count; at++) {
    const unit = UNITS[at] as number
    let one = unit < 0x80 ? unit : (CLASS_OF[unit] as number)
    if ((before & ~RUN) === one && one <= LAST_RUNNING) one |= RUN
    sum += units[(before << ROW_BITS) | one] as number
    before = one
  }
  return sum / UNITS_PER_TOKEN
}

/**
 * Reads the table that `npm run token-table` writes: for each pair of classes a byte, the square root of its tokens.
 * @returns the units of each pair, at `(first << ROW_BITS) | second`
 */
function readTokenTable(): Uint16Array {
  const roots = Buffer.from(TOKEN_TABLE, 'base64')
  const units = new Uint16Array(1 << (2 * ROW_BITS))
  for (let index = 0; index < roots.length; index++) {
    const tokens = ((roots[index] as number) / 255) ** 2 * LARGEST_TOKENS
    units[(Math.floor(index / CLASSES) << ROW_BITS) | (index % CLASSES)] = Math.round(tokens * UNITS_PER_TOKEN)
  }
  return units
}

/** The last class that can be repeated in a run: the space; all before it are control characters. */
export const LAST_RUNNING = 0x20

/** The first class of a script: no script has a class with the bit `RUN` of a class that can run. */
const FIRST_SCRIPT_CLASS = RUN + LAST_RUNNING + 1

/** The first units of the ranges of scripts, in order; each range is a class. */
const RANGES = [
  0x80, // signs of Latin-1
  0xc0, // Latin letters with marks
  0x180,
  0x300, // combining marks
  0x370, // Greek
  0x400, // Cyrillic capitals
  0x430, // Cyrillic
  0x530, // Armenian
  0x590, // Hebrew
  0x600, // Arabic
  0x700,
  0x900, // Devanagari
  0x980, // the other scripts of India
  0xe00, // Thai, Lao
  0xf00,
  0x10a0, // Georgian
  0x1100, // Hangul letters
  0x1200,
  0x2000, // punctuation
  0x2190, // arrows, signs
  0x2500, // boxes
  0x2600, // dingbats
  0x3000, // CJK punctuation
  0x3040, // Hiragana
  0x30a0, // Katakana
  0x3100,
  0x4e00, // CJK ideographs
  0xac00, // Hangul
  0xd800, // high surrogates
  0xdc00, // low surrogates
  0xe000,
] as const

/** The class of each UTF-16 unit that does not continue a run. */
export const CLASS_OF: Uint8Array = buildClasses()

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(0x10000)
  for (let unit = 0; unit < RANGES[0]; unit++) classes[unit] = unit
  for (const [index, start] of RANGES.entries()) classes.fill(FIRST_SCRIPT_CLASS + index, start)
  return classes
}
