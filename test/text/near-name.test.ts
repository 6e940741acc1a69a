import t from 'tap'
import { nearName } from '../../src/text/near-name.ts'

t.test('a misspelt name is near a known one, another name is not', async (t) => {
  const known = ['entries', 'messages', 'session']
  const near = (name: string) => nearName(name, known)
  t.equal(near('message'), 'messages')
  t.equal(near('mesages'), 'messages')
  t.equal(near('Messages'), 'messages')
  t.equal(near('entreis'), 'entries')
  t.equal(near('sessions'), 'session')
  t.equal(near('history'), undefined)
  t.equal(near(''), undefined)
  t.equal(near('m'.repeat(1_000_000)), undefined)
})
