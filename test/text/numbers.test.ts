import t from 'tap'
import { contextOf, describeContext, describeKept } from '../../src/text/numbers.ts'

t.test('a context has two figures: its messages, and what is outside of them, if that is known', async (t) => {
  t.equal(
    describeContext({ messages: 49_998, outside: 56_063 }),
    "49,998 tokens in messages + about 56,063 more by the provider's count",
  )
  t.equal(describeContext({ messages: 15_042, outside: 0 }), '15,042 tokens in messages')
  t.equal(describeContext({ messages: 1, outside: 0 }), '1 token in messages')
})

t.test('a plan shows what was outside when a provider last counted, also before a compaction', (t) => {
  const compacted = { contextTokens: 1_200, tokensOutside: 0, lastTokensOutside: 56_063 }
  t.same(contextOf(compacted), { messages: 1_200, outside: 56_063 })
  t.same(contextOf({ contextTokens: 5_200, tokensOutside: 4_000 }), { messages: 1_200, outside: 4_000 })
  t.end()
})

t.test('what stays is named in our estimate and in tokens of the provider, if they differ', async (t) => {
  const why = 'They fit exactly.'
  t.equal(
    describeKept({ kept: 11_732, asked: 20_000, ratio: 1.458, why }),
    '11,732 tokens by our estimate, about 17,105 as the provider counts; 20,000 were asked for. They fit exactly.',
  )
  t.equal(
    describeKept({ kept: 3, asked: 0, ratio: 1, why }),
    '3 tokens; as few as possible were asked for. They fit exactly.',
  )
  t.equal(describeKept({ kept: 1, asked: 1, ratio: 1, why }), '1 token; 1 was asked for. They fit exactly.')
})
