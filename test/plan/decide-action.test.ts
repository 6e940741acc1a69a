import t from 'tap'
import { decideAction } from '../../src/plan/decide-action.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import type { CompactionSettings } from '../../src/plan/settings.ts'
import type { RawEntry } from '../../src/schemas/entry.ts'
import { readEntry } from '../../src/session/read-entry.ts'
import { assistant, buildEntries, compaction, tokens, user, type EntryDraft } from '../support/build-entries.ts'

const OVERFLOW = 'prompt is too long: 212345 tokens > 200000 maximum'
const LONG = [user(tokens(50)), assistant(tokens(50)), user(tokens(50))]
const error = (errorMessage: string, extras: object = {}) =>
  assistant('', [], { stopReason: 'error', errorMessage, ...extras })
const modelChange = (fields: object): EntryDraft => {
  const raw = { type: 'model_change', ...fields }
  return { ...readEntry(raw as RawEntry, { index: 0, range: { start: 0, end: 0 } }), id: 'change', raw }
}

function decide(
  drafts: EntryDraft[],
  settings: CompactionSettings = {},
  { isIdle = false, prunableTokens = 0, isPreparable = false } = {},
) {
  const branch = buildEntries(drafts)
  const all = { keepRecentTokens: 50, ...settings }
  const { action, reason } = decideAction({
    branch,
    plan: planCompaction(branch, all),
    settings: all,
    isIdle,
    prunableTokens,
    isPreparable,
  })
  return `${action}: ${reason}`
}

const cases: [name: string, actual: () => string, expected: string][] = [
  ['nothing to compact comes before all', () => decide([error(OVERFLOW)]), 'none: nothing-to-compact'],
  ['an error that says the context was too long', () => decide([...LONG, error(OVERFLOW)]), 'compact: overflow'],
  ['any other error', () => decide([...LONG, error('overloaded')]), 'none: no-threshold'],
  [
    'an error that the session has gone on from',
    () => decide([...LONG, error(OVERFLOW), user('again')]),
    'none: no-threshold',
  ],
  [
    'an error older than the last compaction',
    () => decide([...LONG, error(OVERFLOW), compaction({ firstKeptEntryId: 'e0' })]),
    'none: no-threshold',
  ],
  [
    'an error of a model that the session has since left (pi)',
    () =>
      decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ provider: 'p', modelId: 'n' })]),
    'none: no-threshold',
  ],
  [
    'an error of a model that the session has since left (oh-my-pi)',
    () => decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ model: 'p/n' })]),
    'none: no-threshold',
  ],
  [
    'an error before a model change that names no model',
    () =>
      decide([
        ...LONG,
        error(OVERFLOW, { provider: 'p', model: 'm' }),
        modelChange({ provider: { toString: 'x' }, modelId: 5 }),
      ]),
    'none: no-threshold',
  ],
  [
    'an error of the model that was chosen again',
    () => decide([...LONG, error(OVERFLOW, { provider: 'p', model: 'm' }), modelChange({ model: 'p/m' })]),
    'compact: overflow',
  ],
  [
    'an error of a model without a name counts as one of the current model',
    () => decide([...LONG, error(OVERFLOW), modelChange({ model: 'p/m' })]),
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
  [
    'pruning alone would bring it under, but the provider has refused the context',
    () => decide([...LONG, error(OVERFLOW)], { thresholdTokens: 200 }, { prunableTokens: 100 }),
    'compact: overflow',
  ],
  [
    'pruning alone would bring it under, but an answer has stopped for length',
    () =>
      decide(
        [...LONG, assistant('half', [], { stopReason: 'length' })],
        { thresholdTokens: 200 },
        { prunableTokens: 100 },
      ),
    'compact: incomplete',
  ],
  [
    'pruning alone would bring it under, but an idle session has time for a compaction',
    () => decide(LONG, { thresholdTokens: 200, idleThresholdTokens: 149 }, { isIdle: true, prunableTokens: 100 }),
    'compact: idle',
  ],
  ['pruning alone does not', () => decide(LONG, { thresholdTokens: 140 }, { prunableTokens: 9 }), 'compact: threshold'],
  [
    'idle and over the idle threshold',
    () => decide(LONG, { idleThresholdTokens: 149 }, { isIdle: true }),
    'compact: idle',
  ],
  ['idle and below it', () => decide(LONG, {}, { isIdle: true }), 'none: no-threshold'],
  ['not idle', () => decide(LONG, { idleThresholdTokens: 1 }), 'none: no-threshold'],
]

for (const [name, actual, expected] of cases)
  t.test(`rule 11: ${name}`, async (t) => {
    t.equal(actual(), expected)
  })
