import t from 'tap'
import { buildContext } from '../../src/plan/region.ts'
import { contextTokensOf, findNewestUsage, measureContext } from '../../src/plan/context-size.ts'
import { scaleKeepRecent } from '../../src/plan/keep-recent.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import type { RawMessage } from '../../src/schemas/message.ts'
import { fieldsOf } from '../../src/session/entry.ts'
import { readMessage } from '../../src/session/read-message.ts'
import type { Message } from '../../src/session/message.ts'
import { wrapCompactionSummary } from '../../src/session/message-text.ts'
import {
  type EntryDraft,
  assistant,
  bash,
  branchSummary,
  buildEntries,
  call,
  compaction,
  customMessage,
  customRole,
  excludedBash,
  reset,
  result,
  summaryRole,
  tokens,
  user,
  label,
} from '../support/build-entries.ts'
import { regionOf } from '../support/region-of.ts'

function contextOf(drafts: EntryDraft[]) {
  const { region, tokens } = regionOf(drafts)
  return measureContext(region, tokens).total
}

const usage = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 }

t.test('rule 10: without usage the context is our estimate of what is in it', async (t) => {
  t.equal(contextOf([user(tokens(10)), excludedBash(), assistant(tokens(20))]), 30)
  t.equal(contextOf([]), 0)
})

t.test(
  'rule 10: the estimate includes the previous summary with its file tags, and what that compaction kept',
  async (t) => {
    const summary = `${tokens(10)}\n\n<read-files>\na.ts\n</read-files>`
    const kept = [
      user(tokens(1000)),
      user(tokens(10)),
      compaction({ summary, firstKeptEntryId: 'e1' }),
      user(tokens(20)),
    ]
    t.equal(contextOf(kept), estimateTextTokens(wrapCompactionSummary(summary)) + 10 + 20)
    t.equal(contextOf([...kept, reset(), user(tokens(5))]), 5)
  },
)

t.test('rule 10: the newest usage plus our estimate of what follows it counts where it is larger', async (t) => {
  t.equal(contextOf([user(tokens(5)), assistant(tokens(5), [], { usage }), user(tokens(50))]), 127 + 50)
  t.equal(
    contextOf([
      user(tokens(5)),
      assistant(tokens(5), [], { usage: { ...usage, totalTokens: 200.5 } }),
      user(tokens(50)),
    ]),
    201 + 50,
  )
})

t.test('rule 10: our estimate counts where it is larger than the usage', async (t) => {
  t.equal(contextOf([user(tokens(500)), assistant(tokens(5), [], { usage })]), 505)
})

t.test('rule 10: usage before the latest compaction does not count', async (t) => {
  const summary = tokens(10)
  const branch = [
    assistant(tokens(5), [], { usage: { ...usage, totalTokens: 9000 } }),
    compaction({ summary }),
    user(''),
  ]
  t.equal(contextOf(branch), estimateTextTokens(wrapCompactionSummary(summary)))
})

t.test('rule 10: what the usage counts beyond the estimate of the same messages is outside the messages', async (t) => {
  const sizeOf = (drafts: EntryDraft[]) => {
    const { region, tokens } = regionOf(drafts)
    const { providerCount: _, ...sizes } = measureContext(region, tokens)
    return sizes
  }
  const answered = [user(tokens(5)), assistant(tokens(5), [], { usage })]
  t.same(sizeOf(answered), { total: 127, previousSummary: 0, outside: 117 })
  // An old usage: the messages after it are estimated, and change nothing outside them.
  t.same(sizeOf([...answered, user(tokens(500)), assistant(tokens(50))]), {
    ...{ total: 677, previousSummary: 0, outside: 117 },
  })
  // The estimate is larger: nothing is known of what is outside.
  t.same(sizeOf([user(tokens(500)), assistant(tokens(5), [], { usage })]), {
    ...{ total: 505, previousSummary: 0, outside: 0 },
  })
  // A compaction lies between: the usage is that of another context.
  const summary = tokens(10)
  const previousSummary = estimateTextTokens(wrapCompactionSummary(summary))
  const compacted = [...answered, compaction({ summary, firstKeptEntryId: 'e1' }), user(tokens(20))]
  t.same(sizeOf(compacted), { total: previousSummary + 25, previousSummary, outside: 0, lastOutside: 117 })
  t.same(sizeOf([...compacted, assistant(tokens(5), [], { usage })]), {
    ...{ total: 127, previousSummary, outside: 127 - 30 - previousSummary },
  })
})

t.test('rule 10: the estimate is that of the messages that /context returns, whatever they are made of', async (t) => {
  const drafts = [
    user('covered'),
    user([{ type: 'text', text: 'abcde' }, { type: 'image' }]),
    compaction({ summary: 'So far.', firstKeptEntryId: 'e1' }),
    assistant([{ type: 'thinking', thinking: 'Hm.' }], [call('a', 'read', { path: 'a.ts' })]),
    result('a', 'the text'),
    bash('ls', 'a', { exitCode: 2 }),
    excludedBash(),
    branchSummary('Tried.'),
    customMessage('A note.'),
    customRole('Another.'),
    summaryRole('compactionSummary', 'Older.'),
  ]
  const rawMessages = new Map(buildEntries(drafts).map(({ id, raw }) => [id, raw['message'] ?? raw]))
  const messages = buildContext(buildEntries(drafts), ({ id }) => fieldsOf(rawMessages.get(id))).map((raw) =>
    readMessage(raw as RawMessage)!,
  )
  t.equal(messages.length, 9)
  t.equal(
    contextOf(drafts),
    messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0),
  )
})

const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

const answer = (input: number, stopReason = 'stop') => assistant('Done.', [], { stopReason, usage: { ...NONE, input } })

function usageOf(drafts: EntryDraft[]) {
  const newest = findNewestUsage(regionOf(drafts).region)
  return newest && [newest.index, newest.usage.input]
}

t.test('rule 6: the newest assistant message that reports some usage gives the size', async (t) => {
  t.same(usageOf([answer(10), user(), answer(20), user(), assistant(), user()]), [2, 20])
  t.same(usageOf([answer(10), assistant('', [], { usage: NONE })]), [0, 10])
  t.equal(usageOf([user(), assistant()]), undefined)
})

t.test('rule 6: the usage of a failed or aborted message does not count', async (t) => {
  t.same(usageOf([answer(10), answer(20, 'error'), answer(30, 'aborted')]), [0, 10])
  t.same(usageOf([answer(10), answer(20, 'length')]), [1, 20])
})

t.test('rule 6: usage before the latest compaction is of another context, in its kept region too', async (t) => {
  t.equal(usageOf([user(), answer(10), compaction({ firstKeptEntryId: 'e0' }), user()]), undefined)
  t.same(usageOf([user(), answer(10), compaction({ firstKeptEntryId: 'e0' }), answer(20)]), [3, 20])
})

function outsideOf(drafts: EntryDraft[]) {
  const { region, tokens } = regionOf(drafts)
  const { outside, lastOutside } = measureContext(region, tokens)
  return { outside, lastOutside }
}

t.test('rule 10: until an answer has usage again, what was outside before the compaction is known', async (t) => {
  const first = [user(tokens(10)), answer(100), user(tokens(5))]
  const before = 100 - 10 - estimateTextTokens('Done.')
  t.same(outsideOf(first), { outside: before, lastOutside: undefined })
  const compacted = [...first, compaction({ firstKeptEntryId: 'e2' }), user(tokens(7))]
  t.same(outsideOf(compacted), { outside: 0, lastOutside: before })
  t.same(outsideOf([...compacted, compaction({ firstKeptEntryId: 'e4' })]), { outside: 0, lastOutside: before })
  t.same(outsideOf([...compacted, assistant('Failed.', [], { stopReason: 'error', usage })]).lastOutside, before)
  t.equal(outsideOf([...compacted, answer(2000)]).lastOutside, undefined)
  t.same(outsideOf([user(), assistant(), compaction(), user()]), { outside: 0, lastOutside: undefined })
  t.same(outsideOf([...compacted, reset(), user()]), { outside: 0, lastOutside: undefined })
})

t.test('rule 10: what a compaction replaces takes away what a provider counted more for it', async (t) => {
  const first = [user(tokens(10)), answer(100), user(tokens(1000)), answer(2100)]
  // The first answer has 90 tokens outside; the newest one counts 2010 tokens where the estimate has 1010 and its first answer.
  const done = estimateTextTokens('Done.')
  const ratio = 2010 / (1010 + done)
  const outside = 2100 - 1010 - 2 * done
  t.same(outsideOf(first), { outside, lastOutside: undefined })
  const after = estimateTextTokens(wrapCompactionSummary('Older.')) + 7
  const lastOutside = Math.round(outside + (ratio - 1) * (after - 1010 - 2 * done))
  const compacted = [...first, compaction({ summary: 'Older.' }), user(tokens(7))]
  t.same(outsideOf(compacted), { outside: 0, lastOutside })
  t.ok(lastOutside < outside / 5, `${outside} -> ${lastOutside}`)
})

const prunedResult = (id: string, tokens: number, prunedAt: number) =>
  result(id, `[Output truncated - ${tokens} tokens]`, { prunedAt })

const answerAt = (input: number, timestamp: number, toolCalls = [call('a', 'bash', {})]) =>
  assistant('Done.', toolCalls, { timestamp, usage: { ...NONE, input } })

t.test(
  'rule 10: what was pruned after an answer is not in the context, though the usage of the answer has it',
  async (t) => {
    const sizeOf = (output: EntryDraft, last: EntryDraft) => {
      const { region, tokens } = regionOf([user(tokens40), answerAt(60, 1), output, last])
      const { providerCount: _, ...sizes } = measureContext(region, tokens)
      return sizes
    }
    const tokens40 = tokens(40)
    const whole = sizeOf(result('a', tokens(900)), answerAt(5000, 2, []))
    const notice = prunedResult('a', 900, 5)
    const removed = 900 - estimateMessageTokens(notice.message as Message)
    const last = estimateTextTokens('Done.')
    t.equal(whole.total, 5000)
    t.same(sizeOf(notice, answerAt(5000, 2, [])), { ...whole, total: 5000 - removed })
    t.equal(sizeOf(notice, answerAt(5000, 5, [])).total, 5000 - removed, 'an answer that is not newer has it')
    t.equal(sizeOf(notice, answer(5000)).total, 5000 - removed, 'an answer without a time is not known to be newer')
    t.equal(sizeOf(notice, answerAt(5000, 6, [])).total, 5000)
    // Without the size, the usage from before the output counts: nothing after it is known.
    const cleared = result('a', tokens(2), { prunedAt: 5 })
    t.equal(sizeOf(cleared, answerAt(5000, 2, [])).total, 60 + 2 + last)
    // No usage counts.
    const uncounted = [user(), assistant('', [call('a', 'bash', {})]), cleared, answerAt(5000, 2, [])]
    t.same(outsideOf(uncounted), { outside: 0, lastOutside: undefined })
  },
)

t.test('rule 6: a prune does not change how many tokens the provider counts for each of ours', async (t) => {
  const ratioOf = (output: EntryDraft) => {
    const drafts = [user(tokens(40)), answerAt(60, 1), output, answerAt(1000, 2, []), user(tokens(10))]
    const { region, tokens: between } = regionOf(drafts)
    return scaleKeepRecent(region, between, { keepRecentTokens: 100 }).ratio
  }
  t.ok(ratioOf(result('a', tokens(700))) > 1.2)
  t.equal(ratioOf(prunedResult('a', 700, 5)), ratioOf(result('a', tokens(700))))
})

t.test('rule 6: usage before the newest reset is of another context', async (t) => {
  t.equal(usageOf([user(), answer(10), reset(), user()]), undefined)
})

t.test('rule 3: a compaction that cannot be read hides no usage', async (t) => {
  t.same(usageOf([user(), answer(10), compaction({ isOpaque: true }), user()]), [1, 10])
})

t.test('rule 10: the context is totalTokens, else the sum of all counts', async (t) => {
  const counts = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4000 }
  t.equal(contextTokensOf({ ...counts, totalTokens: 5000 }), 5000)
  t.equal(contextTokensOf({ ...counts, totalTokens: 0 }), 4321)
  t.equal(contextTokensOf(counts), 4321)
})

t.test('any span of the considered region can be summed', async (t) => {
  const drafts = [user(tokens(900)), compaction(), user(tokens(1)), label(), user(tokens(20)), user(tokens(300))]
  const { tokens: sum } = regionOf(drafts)
  t.same([sum(2, 6), sum(2, 4), sum(3, 5), sum(5, 6), sum(4, 4), sum(6, 6)], [321, 1, 20, 300, 0, 0])
})
