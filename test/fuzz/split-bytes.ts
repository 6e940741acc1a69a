import type { Random } from '../../bench/support/create-random.ts'

/** Splits bytes at one to eight random places, mostly without a pause between the pieces. */
export function splitBytes(bytes: Buffer, random: Random): { bytes: Buffer; pauseMs: number }[] {
  const places = Array.from({ length: random.integer(0, 7) }, () => random.integer(0, bytes.length))
  const edges = [...new Set([0, ...places, bytes.length])].sort((a, b) => a - b)
  return edges.slice(1).map((edge, index) => ({
    bytes: bytes.subarray(edges[index], edge),
    pauseMs: random.next() < 0.2 ? random.integer(1, 5) : 0,
  }))
}
