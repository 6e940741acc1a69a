import t from 'tap'
import type { RawEntry } from '../../src/schemas/entry.ts'
import { readSession } from '../../src/session/read-session.ts'
import { carryPreserveData } from '../../src/summary/assemble-result.ts'

const carry = (entries: object[]) => carryPreserveData(readSession(entries as RawEntry[]).entries)
const compaction = (preserveData: object) => ({ type: 'compaction', summary: 's', preserveData })

t.test("the newest compaction's data is carried over, without what stood for the replaced history", async (t) => {
  t.strictSame(carry([compaction({ a: 1 }), compaction({ b: 2, openaiRemoteCompaction: {} })]), { b: 2 })
})

t.test('nothing is carried where nothing is left, nor from before a reset', async (t) => {
  t.equal(carry([compaction({ openaiRemoteCompaction: {} })]), undefined)
  t.equal(carry([compaction({ a: 1 }), { type: 'reset_boundary' }]), undefined)
  t.equal(carry([]), undefined)
})
