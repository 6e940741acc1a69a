import t from 'tap'
import { describeKeep, scaleKeepRecent, withExtra } from '../../src/plan/keep-recent.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import type { CompactionSettings } from '../../src/plan/settings.ts'
import { wrapCompactionSummary } from '../../src/session/message-text.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import {
  assistant,
  buildEntries,
  compaction,
  reset,
  result,
  tokens,
  user,
  type EntryDraft,
} from '../support/build-entries.ts'
import { regionOf } from '../support/region-of.ts'

/** An answer of 100 tokens, whose provider has counted so many tokens before it. */
const answer = (input: number, cacheRead = 0, cacheWrite = 0) =>
  assistant(tokens(100), [], { usage: { input, cacheRead, cacheWrite, output: 999 } })

function scaled(drafts: EntryDraft[], asked = 1000) {
  const { region, tokens } = regionOf(drafts)
  const { budget, ratio } = scaleKeepRecent(region, tokens, { keepRecentTokens: asked })
  return [budget, ratio]
}

t.test('rule 6: the budget is divided by what the usage has grown by, for each token of our estimate', async (t) => {
  // 5000 stand outside the messages: 5100 less 100. Then the messages have 300 tokens, which the provider counts as 375.
  t.same(scaled([user(tokens(100)), answer(5100), user(tokens(100)), answer(5375)]), [800, 1.25])
  t.same(scaled([user(tokens(100)), answer(5100), user(tokens(100)), answer(5400)]), [750, 400 / 300])
})

t.test('rule 6: what stands outside the messages does not shrink the budget, however large it is', async (t) => {
  t.same(scaled([user(tokens(100)), answer(90_100), user(tokens(100)), answer(90_300)]), [1000, 1])
})

t.test('rule 6: measured is input, cacheRead and cacheWrite, without the output', async (t) => {
  t.same(scaled([user(tokens(100)), answer(100, 4000, 1000), user(tokens(100)), answer(5, 5300, 70)]), [800, 1.25])
})

t.test('rule 6: one answer cannot tell what stands outside from how the provider counts', async (t) => {
  t.same(scaled([user(tokens(100)), answer(300), user(tokens(50))]), [1000, 1])
  t.same(scaled([user(tokens(100)), assistant()]), [1000, 1])
})

t.test(
  'rule 6: the first answer is the first after the newest compaction, and the previous summary counts',
  async (t) => {
    const summary = tokens(100)
    const before = estimateTextTokens(wrapCompactionSummary(summary)) + 100
    const old = [user(tokens(100)), answer(9000)]
    const drafts = [...old, compaction({ summary }), user(tokens(100)), answer(before + 5000), user(tokens(100))]
    t.same(scaled([...drafts, answer(5000 + 2 * (before + 200))]), [500, 2])
    t.same(scaled([...old, reset(), user(tokens(100)), answer(5100), user(tokens(100)), answer(5375)]), [800, 1.25])
  },
)

t.test('rule 6: usage of what a compaction has kept is that of the context before it', async (t) => {
  const kept = [user(tokens(100)), answer(50), compaction({ summary: tokens(10), firstKeptEntryId: 'e0' })]
  const frame = estimateTextTokens(wrapCompactionSummary(tokens(10)))
  const next = [user(tokens(100)), answer(5300 + frame), user(tokens(100)), answer(5000 + 2 * (frame + 500))]
  t.same(scaled([...kept, ...next]), [500, 2])
})

t.test('rule 6: usage without the tokens of a prompt, of failed or of aborted calls is not the first', async (t) => {
  const usage = { input: 9000, output: 1, cacheRead: 0, cacheWrite: 0 }
  const failed = ['error', 'aborted'].map((stopReason) => assistant(tokens(50), [], { stopReason, usage }))
  t.same(scaled([answer(0), ...failed, answer(5200), user(tokens(100)), answer(5500)]), [800, 1.25])
})

t.test('rule 6: a first usage below our estimate means that nothing stands outside', async (t) => {
  t.same(scaled([user(tokens(100)), answer(20), user(tokens(100)), answer(375)]), [800, 1.25])
})

t.test('rule 6: the budget never grows, and usage that shrinks counts for nothing', async (t) => {
  t.same(scaled([user(tokens(100)), answer(5100), user(tokens(100)), answer(5200)]), [1000, 1])
  t.same(scaled([user(tokens(100)), answer(9000), user(tokens(100)), answer(300)]), [1000, 1])
})

t.test('rule 6: no more than 4 tokens are believed for each of ours, and the budget becomes 1 at least', async (t) => {
  const drafts = [user(tokens(100)), answer(100), user(tokens(100)), answer(90_000)]
  t.same(scaled(drafts), [250, 4])
  t.same(scaled(drafts, 2), [1, 4])
})

/** What a plan says of the messages that stay. */
const keepOf = (drafts: EntryDraft[], keepRecentTokens: number) =>
  planCompaction(buildEntries(drafts), { keepRecentTokens }).keep

t.test('the plan says how many tokens were asked for, how many stay, and why', async (t) => {
  const turns = [user(tokens(100)), answer(5100), user(tokens(100)), answer(5375), user(tokens(50))]
  t.same(keepOf([user(tokens(900)), answer(5900), ...turns.slice(2, 3), answer(6375)], 1000), {
    ...{ asked: 1000, budget: 800, ratio: 1.25, kept: 300 },
    why: 'The message before them, with what belongs to it, does not fit.',
  })
  t.same(keepOf(turns, 187), {
    ...{ asked: 187, budget: 149, ratio: 1.25, kept: 50 },
    why: 'The message before them, with what belongs to it, does not fit; 190 would keep it too.',
  })
  t.same(keepOf([user(tokens(10)), user(tokens(50))], 20), {
    ...{ asked: 20, budget: 20, ratio: 1, kept: 50 },
    why: 'The newest message stays whatever its size, and a call stays with its results.',
  })
  t.same(keepOf([user(tokens(10)), user(tokens(50))], 50).why, 'They fit exactly.')
  t.same(keepOf([user(tokens(10)), user(tokens(50))], 100), {
    ...{ asked: 100, budget: 100, ratio: 1, kept: 60, why: 'All messages fit.' },
  })
  t.same(keepOf([user(tokens(10)), user(tokens(50))], 60).why, 'All messages fit.')
  t.same(
    keepOf([result('gone'), user(tokens(50))], 100).why,
    'The messages before them are results without their calls, which cannot be kept alone.',
  )
})

t.test('a document whose messages stay whole says so', async (t) => {
  const scaled = { asked: 1000, budget: 250, ratio: 4, outsideTokens: 0, thresholdTokens: null, isSmallDefault: false }
  const keep = describeKeep(scaled, { all: 900, kept: 200, summary: 0, hasCut: true })
  t.equal(withExtra(keep, 0), keep)
  t.same(withExtra(keep, 1200), {
    ...{ ...keep, kept: 1400 },
    why: `${keep.why} Only whole messages of the document can stay: 1,200 tokens before the cut stay too.`,
  })
})

t.test('a plan names the number with which the next older message would stay too, and with it, it stays', async (t) => {
  const drafts = [user(tokens(100)), answer(5100), user(tokens(3000)), answer(8850), user(tokens(31))]
  const keep = keepOf(drafts, 1000)
  t.match(keep, { asked: 1000, ratio: 1.203 })
  const [, least = ''] = /; ([\d,]+) would keep it too\.$/.exec(keep.why) ?? []
  const more = keepOf(drafts, Number(least.replace(',', '')))
  t.ok(more.kept >= keep.kept + 3000, keep.why)
  t.ok(Number(least.replace(',', '')) < more.kept * 1.21 + 101, keep.why)
})

const planWith = (drafts: EntryDraft[], settings: CompactionSettings) => planCompaction(buildEntries(drafts), settings)

t.test('rule 5: the default is at most half of the threshold, and a given value is what was given', async (t) => {
  const turns = Array.from({ length: 30 }, () => user(tokens(1000)))
  const small = planWith(turns, { contextWindow: 32_768 }).keep
  t.same(small, {
    ...{ asked: 8192, budget: 8192, ratio: 1, kept: 8000 },
    why: 'The default is half of the threshold of 16,384 tokens. The message before them, with what belongs to it, does not fit; 9,000 would keep it too.',
  })
  const asked = (settings: CompactionSettings): number => planWith(turns, settings).keep.asked
  t.equal(asked({ contextWindow: 200_000 }), 20_000)
  t.equal(asked({}), 20_000)
  t.equal(asked({ thresholdTokens: 9001 }), 4500)
  t.equal(asked({ contextWindow: 1 }), 0)
  t.equal(asked({ contextWindow: 32_768, keepRecentTokens: 20_000 }), 20_000)
})

t.test('a plan warns if what stays is above the threshold: then each turn would have a compaction', async (t) => {
  const end = 'so the agent would compact again in every turn: let fewer tokens stay, or raise the threshold.'
  const turns = Array.from({ length: 30 }, () => user(tokens(1000)))
  const why = (drafts: EntryDraft[], settings: CompactionSettings): string => planWith(drafts, settings).keep.why
  t.equal(
    why(turns, { contextWindow: 32_768, keepRecentTokens: 20_000 }),
    `They fit exactly. They are more than the threshold of 16,384 tokens, ${end}`,
  )
  t.equal(
    why(turns.slice(0, 18), { contextWindow: 32_768, keepRecentTokens: 20_000 }),
    `All messages fit. They are more than the threshold of 16,384 tokens, ${end}`,
  )
  const frame = estimateTextTokens(wrapCompactionSummary(tokens(400)))
  const drafts = [compaction({ summary: tokens(400) }), user(tokens(500)), answer(frame + 2500), user(tokens(500))]
  t.equal(
    why(drafts, { thresholdTokens: 2550, keepRecentTokens: 500 }),
    'They fit exactly. With the 2,000 outside the messages and ' +
      `the ${frame} of the summary, they are more than the threshold of 2,550 tokens, ${end}`,
  )
  t.notMatch(why(drafts, { thresholdTokens: 2500 + frame, keepRecentTokens: 500 }), /threshold/)
})
