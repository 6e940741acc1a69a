import t from 'tap'
import { describeContext } from '../../src/text/numbers.ts'

t.test('a context has two figures: its messages, and what is outside of them, if that is known', async (t) => {
  t.equal(describeContext({ tokens: 106_061, outside: 56_063 }), '49,998 tokens in messages + about 56,063 outside')
  t.equal(describeContext({ tokens: 15_042, outside: 0 }), '15,042 tokens in messages')
  t.equal(describeContext({ tokens: 1, outside: 0 }), '1 token in messages')
})
