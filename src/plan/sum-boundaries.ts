import { CLASS_OF, LAST_RUNNING, RUN } from './character-classes.ts'
import { readTokenTable, ROW_BITS, UNITS_PER_TOKEN } from './read-token-table.ts'

const TABLE = readTokenTable()

/** Where a text's units stand while they are summed: an array of numbers is read three times as fast as a string. */
const UNITS = new Uint16Array(1024)
const BYTES = Buffer.from(UNITS.buffer)

/** Of a text up to this length each character is looked at; of a longer one as many, and a sixteenth of the rest. */
const WHOLE_CHARACTERS = 1024
const SAMPLE_STEP = 16

/** Samples are stretches of this length, at equal distances: long enough to hold what texts of a kind have in common. */
const STRETCH_PAIRS = 128

/**
 * Sums over neighbouring characters how many of o200k's tokens end between them as a rule, and one for the last. The
 * shares were counted with gpt-tokenizer (scripts/token-table). Long texts are sampled; errors by kind of text, sampling
 * included: `npm run bench -- tokens`.
 * @returns tokens, not rounded; 0 for an empty text
 */
export function sumBoundaries(text: string): number {
  const { length } = text
  if (length === 0) return 0
  if (length <= WHOLE_CHARACTERS) return 1 + sumPairs(text)
  const stretches = Math.ceil((WHOLE_CHARACTERS + (length - WHOLE_CHARACTERS) / SAMPLE_STEP) / STRETCH_PAIRS)
  const distance = (length - STRETCH_PAIRS) / stretches
  let sum = 0
  for (let stretch = 0; stretch < stretches; stretch++) {
    const start = Math.floor(stretch * distance)
    sum += sumPairs(text.slice(start, start + STRETCH_PAIRS + 1))
  }
  return 1 + (sum / (stretches * STRETCH_PAIRS)) * (length - 1)
}

function sumPairs(text: string): number {
  BYTES.write(text, 'utf16le')
  const count = text.length
  let sum = 0
  let before = NOTHING
  for (let at = 0; at < count; at++) {
    const unit = UNITS[at] as number
    let one = unit < 0x80 ? unit : (CLASS_OF[unit] as number)
    if ((before & ~RUN) === one && one <= LAST_RUNNING) one |= RUN
    sum += TABLE[(before << ROW_BITS) | one] as number
    before = one
  }
  return sum / UNITS_PER_TOKEN
}

/** A class that nothing runs on from, and whose row in the table is empty. */
const NOTHING = 0x7f | RUN
