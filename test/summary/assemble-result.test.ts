import t from 'tap'
import { readSession } from '../../bench/support/read-session.ts'
import { carryPreserveData } from '../../src/summary/assemble-result.ts'

const carry = (entries: object[]) => carryPreserveData(readSession({ entries }).entries)
const compaction = (preserveData: object) => ({ type: 'compaction', summary: 's', preserveData })

t.test('preserved data is carried over, without the data of the replaced history', async (t) => {
  t.strictSame(carry([compaction({ a: 1 }), compaction({ b: 2, openaiRemoteCompaction: {} })]), { b: 2 })
})

t.test('no data is carried over if none is left, or if a reset follows it', async (t) => {
  t.equal(carry([compaction({ openaiRemoteCompaction: {} })]), undefined)
  t.equal(carry([compaction({ a: 1 }), { type: 'reset_boundary' }]), undefined)
  t.equal(carry([]), undefined)
})
