import t from 'tap'
import { buildContext } from '../../src/plan/build-context.ts'
import { measureContext } from '../../src/plan/estimate-context.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../src/plan/estimate-tokens.ts'
import { findRegion } from '../../src/plan/find-region.ts'
import { sumTokens } from '../../src/plan/sum-tokens.ts'
import type { RawMessage } from '../../src/schemas/message.ts'
import { readMessage } from '../../src/session/read-message.ts'
import { wrapCompactionSummary } from '../../src/session/wrap-summary.ts'
import type { EntryDraft } from '../support/build-entries.ts'
import {
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
} from '../support/build-entries.ts'

function contextOf(drafts: EntryDraft[]) {
  const region = findRegion(buildEntries(drafts))
  return measureContext(region, sumTokens(region))
}

const usage = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 }

t.test('rule 10: without usage the context is our estimate of what is in it', async (t) => {
  t.equal(contextOf([user(tokens(10)), excludedBash(), assistant(tokens(20))]), 30)
  t.equal(contextOf([]), 0)
})

t.test(
  'rule 10: the estimate holds the previous summary with its file tags, and what that compaction kept',
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
  const messages = buildContext(buildEntries(drafts)).map((raw) => readMessage(raw as RawMessage)!)
  t.equal(messages.length, 9)
  t.equal(
    contextOf(drafts),
    messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0),
  )
})
