import { CLASSES } from './character-classes.ts'
import { TOKEN_TABLE } from './token-table.ts'

/** The most tokens that may stand between two units: some characters take several. */
export const LARGEST_TOKENS = 4

/** Two classes make an index: the first one's rows are 256 apart, so that a shift finds them. */
export const ROW_BITS = 8

/** How many units of the table make a token. */
export const UNITS_PER_TOKEN = 8192

/**
 * Reads the table that `npm run token-table` has written: a byte for each pair of classes, the square root of its tokens.
 * @returns units of tokens, at `(first << ROW_BITS) | second`
 */
export function readTokenTable(): Uint16Array {
  const roots = Buffer.from(TOKEN_TABLE, 'base64')
  const table = new Uint16Array(1 << (2 * ROW_BITS))
  for (const [index, root] of roots.entries()) {
    const tokens = (root / 255) ** 2 * LARGEST_TOKENS
    table[(Math.floor(index / CLASSES) << ROW_BITS) | (index % CLASSES)] = Math.round(tokens * UNITS_PER_TOKEN)
  }
  return table
}
