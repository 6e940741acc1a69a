import t from 'tap'
import { decideAction } from '../../src/plan/decide-action.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import type { CompactionSettings } from '../../src/plan/settings.ts'
import { assistant, buildEntries, compaction, tokens, user, type EntryDraft } from '../support/build-entries.ts'

const OVERFLOW = 'prompt is too long: 212345 tokens > 200000 maximum'
const LONG = [user(tokens(50)), assistant(tokens(50)), user(tokens(50))]
const error = (errorMessage: string, extras: object = {}) =>
  assistant('', [], { stopReason: 'error', errorMessage, ...extras })
const modelChange = (raw: object): EntryDraft => ({ type: 'model_change', raw: { ...raw } })

function decide(drafts: EntryDraft[], settings: CompactionSettings = {}, { isIdle = false, prunableTokens = 0 } = {}) {
  const branch = buildEntries(drafts)
  const all = { keepRecentTokens: 50, ...settings }
  const { action, reason } = decideAction({
    branch,
    plan: planCompaction(branch, all),
    settings: all,
    isIdle,
    prunableTokens,
  })
  return `${action}: ${reason}`
}

const cases: [name: string, actual: () => string, expected: string][] = [
  ['nothing to compact comes before all', () => decide([error(OVERFLOW)]), 'none: nothing-to-compact'],
  ['an error that says the context was too long', () => decide([...LONG, error(OVERFLOW)]), 'compact: overflow'],
  ['any other error', () => decide([...LONG, error('overloaded')]), 'none: below-threshold'],
  [
    'an error that the session has gone on from',
    () => decide([...LONG, error(OVERFLOW), user('again')]),
    'none: below-threshold',
  ],
  [
    'an error older than the last compaction',
    () => decide([...LONG, error(OVERFLOW), compaction({ firstKeptEntryId: 'e0' })]),
    'none: below-threshold',
  ],
  [
    'an error of a model that the session has since left (pi)',
    () =>
      decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ provider: 'p', modelId: 'n' })]),
    'none: below-threshold',
  ],
  [
    'an error of a model that the session has since left (oh-my-pi)',
    () => decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ model: 'p/n' })]),
    'none: below-threshold',
  ],
  [
    'an error of the model that was chosen again',
    () => decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ model: 'p/m' })]),
    'compact: overflow',
  ],
  [
    'an answer that stopped for length',
    () => decide([...LONG, assistant('half', [], { stopReason: 'length' })]),
    'compact: incomplete',
  ],
  ['over the threshold', () => decide(LONG, { thresholdTokens: 149 }), 'compact: threshold'],
  ['exactly the threshold is not over it', () => decide(LONG, { thresholdTokens: 150 }), 'none: below-threshold'],
  [
    'pruning alone brings it under',
    () => decide(LONG, { thresholdTokens: 140 }, { prunableTokens: 10 }),
    'prune: threshold',
  ],
  ['pruning alone does not', () => decide(LONG, { thresholdTokens: 140 }, { prunableTokens: 9 }), 'compact: threshold'],
  [
    'idle and over the idle threshold',
    () => decide(LONG, { idleThresholdTokens: 149 }, { isIdle: true }),
    'compact: idle',
  ],
  ['idle and below it', () => decide(LONG, {}, { isIdle: true }), 'none: below-threshold'],
  ['not idle', () => decide(LONG, { idleThresholdTokens: 1 }), 'none: below-threshold'],
]

for (const [name, actual, expected] of cases)
  t.test(`rule 11: ${name}`, async (t) => {
    t.equal(actual(), expected)
  })
