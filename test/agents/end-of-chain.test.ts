import t from 'tap'
import { endOfChain } from '../../src/agents/shared/elements.ts'

const RANGE = { start: 0, end: 0 }

/** A kept line, two lines without a message after it, and one that follows an older line. */
const ELEMENTS = [
  { index: 0, range: RANGE, id: 'a' },
  { index: 1, range: RANGE, id: 'b', parentId: 'a' },
  { index: 2, range: RANGE, id: 'telemetry', parentId: 'b' },
  { index: 3, range: RANGE, id: 'beside', parentId: 'a' },
  { index: 4, range: RANGE, id: 'attachment', parentId: 'telemetry' },
]

t.test('a compaction follows the lines without a message after the last kept one', async (t) => {
  const [first, last] = ELEMENTS
  t.ok(first && last)
  if (first === undefined || last === undefined) return
  t.equal(endOfChain({ elements: ELEMENTS, isWhole: true }, last), 'attachment')
  t.equal(endOfChain({ elements: ELEMENTS, isWhole: false }, last), 'b', 'the last kept one is not at the end')
})
