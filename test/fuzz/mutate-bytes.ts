import type { Random } from '../../bench/support/create-random.ts'

/** What JSON parsers, line splitters and decoders stumble over. */
const PIECES = [
  '"',
  '\\',
  '\\u0000',
  '\\uD800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  'null',
  'NaN',
  '1e999',
  '-0',
  '1'.repeat(400),
  '"__proto__":{"x":1},',
  '"type":"message","type":"compaction",',
  '\uFEFF',
  '\u2028',
].map((piece) => Buffer.from(piece))
const INVALID_UTF8 = [
  Buffer.from([0xff]),
  Buffer.from([0xc3]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf8, 0x88]),
]

/** Changes bytes in one to four places: other ones, fewer, more, some twice, or an early end. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let count = random.integer(1, 4); count > 0; count--) mutated = mutateOnce(mutated, random)
  return mutated
}

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.integer(0, bytes.length)
  const to = Math.min(bytes.length, at + random.integer(0, 60))
  const [before, between, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
  switch (random.integer(0, 5)) {
    case 0:
      return Buffer.concat([before, Buffer.from(between.map((byte) => byte ^ (1 << random.integer(0, 7)))), after])
    case 1:
      return Buffer.concat([before, after])
    case 2:
      return Buffer.concat([before, random.pick(PIECES), between, after])
    case 3:
      return Buffer.concat([before, between, between, between, after])
    case 4:
      return Buffer.concat([before, random.pick(INVALID_UTF8), between, after])
    default:
      return before
  }
}
