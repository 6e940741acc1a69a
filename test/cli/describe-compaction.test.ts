import t from 'tap'
import type { CompactionReply } from '../../src/client/client.ts'
import { describeMissing, describeTotal } from '../../src/cli/describe-compaction.ts'

const reply = (fields: object): CompactionReply =>
  ({ summary: '', details: {}, report: {}, ...fields }) as CompactionReply

t.test(
  'the whole context is compared as the provider counts, which has more tokens for what is replaced',
  async (t) => {
    const sizes = { tokensBefore: 106_061, tokensAfter: 17_282, tokensOutside: 56_063 }
    const keep = { kept: 11_732, asked: 20_000, budget: 13_722, ratio: 1.46, why: '' }
    t.equal(
      describeTotal(reply({ ...sizes, report: { keep } })),
      'In all, as the provider counts: 106,061 -> about 58,296 tokens (45 % less).',
    )
    t.equal(describeTotal(reply({ ...sizes, tokensBefore: 49_998, tokensOutside: 0 })), undefined)
  },
)

t.test('sections that a model has left out twice are named', async (t) => {
  const report = (repaired: number) => ({
    model: 'm',
    checks: { sections: { missing: ['## Goal', '### Done'] }, repaired },
  })
  t.equal(
    describeMissing(reply({ report: report(1) })),
    'm left out 2 sections, also when it was asked for them: Goal, Done. Read the summary before you use it.',
  )
  t.equal(describeMissing(reply({ report: report(0) })), undefined)
})
