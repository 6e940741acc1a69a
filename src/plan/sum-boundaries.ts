import { CLASS_OF, LAST_RUNNING, RUN } from './character-classes.ts'
import { readTokenTable, ROW_BITS, UNITS_PER_TOKEN } from './read-token-table.ts'

const TABLE = readTokenTable()

/** Where a text's units stand while they are summed: an array of numbers is read three times as fast as a string. */
const UNITS = new Uint16Array(16_384)
const BYTES = Buffer.from(UNITS.buffer)

/**
 * Sums over all neighbouring characters how many of o200k's tokens end between them as a rule, and one for the last. The
 * shares were counted with gpt-tokenizer (scripts/token-table); errors by kind of text: `npm run bench -- tokens`.
 * @returns tokens, not rounded; 0 for an empty text
 */
export function sumBoundaries(text: string): number {
  const { length } = text
  if (length === 0) return 0
  // A class that nothing runs on from, and that has no tokens before anything: its row is empty.
  let state = { sum: UNITS_PER_TOKEN, before: NOTHING }
  for (let start = 0; start < length; start += UNITS.length) {
    const count = Math.min(UNITS.length, length - start)
    BYTES.write(length > UNITS.length ? text.slice(start, start + count) : text, 'utf16le')
    state = sumUnits(count, state)
  }
  return state.sum / UNITS_PER_TOKEN
}

const NOTHING = 0x7f | RUN

function sumUnits(count: number, state: { sum: number; before: number }): { sum: number; before: number } {
  let { sum, before } = state
  for (let at = 0; at < count; at++) {
    const unit = UNITS[at] as number
    let one = unit < 0x80 ? unit : (CLASS_OF[unit] as number)
    if ((before & ~RUN) === one && one <= LAST_RUNNING) one |= RUN
    sum += TABLE[(before << ROW_BITS) | one] as number
    before = one
  }
  return { sum, before }
}
