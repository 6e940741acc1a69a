import t from 'tap'
import { readTraceParent } from '../../src/http/record-requests.ts'

const NONE = [
  undefined,
  '',
  'nonsense',
  '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
]

t.test('what is no traceparent is left out', async (t) => {
  for (const traceparent of NONE) t.same(readTraceParent({ headers: { traceparent } }), {})
})
