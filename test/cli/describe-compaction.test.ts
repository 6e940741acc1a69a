import t from 'tap'
import type { CompactionReply } from '../../src/client/client.ts'
import { describeMissing, describeTotal, sentencesAbout, warnOfKept } from '../../src/cli/describe-compaction.ts'

const reply = (fields: object): CompactionReply =>
  ({ summary: '', details: {}, report: {}, ...fields }) as CompactionReply

t.test(
  'the whole context is compared as the provider counts, which has more tokens for what is replaced',
  async (t) => {
    const sizes = { tokensBefore: 106_061, tokensAfter: 17_282, tokensOutside: 56_063, tokensOutsideAfter: 41_014 }
    const words = 'In all, as the provider counts (system prompt, tools, and its own way of counting)'
    t.equal(describeTotal(reply(sizes)), `${words}: 106,061 -> about 58,296 tokens (45 % less).`)
    const again = { ...sizes, tokensBefore: 49_998, tokensOutside: 0, lastTokensOutside: 56_063 }
    t.equal(describeTotal(reply(again)), `${words}: about 106,061 -> about 58,296 tokens (45 % less).`)
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

t.test('that nearly nothing stays is said in place of what stays, with the number that would keep more', async (t) => {
  const why = 'The message before them, with what belongs to it, does not fit; 7,400 would keep it too.'
  const kept = (tokens: number) =>
    reply({ report: { model: 'embedded', durationMs: 100, keep: { asked: 5000, kept: tokens, ratio: 1, why } } })
  const warning = `Only 31 tokens of 5,000 stay word for word: the summary replaces the rest. ${why} (--keep TOKENS)`
  t.equal(warnOfKept(kept(31)), warning)
  t.same(sentencesAbout(kept(31)), ['Written by the embedded summarizer in 0.1 s.', warning])
  t.equal(warnOfKept(kept(4000)), undefined)
  t.equal(sentencesAbout(kept(4000)).at(-1), `Kept: 4,000 tokens; 5,000 were asked for. ${why}`)
})
