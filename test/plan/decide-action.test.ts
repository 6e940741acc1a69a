import t from 'tap'
import { decideAction, computeThreshold } from '../../src/plan/decide-action.ts'
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
    'an error before a model change that names no model',
    () =>
      decide([
        ...LONG,
        error(OVERFLOW, { provider: 'p', model: 'm' }),
        modelChange({ provider: { toString: 'x' }, modelId: 5 }),
      ]),
    'none: below-threshold',
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
  ['idle and below it', () => decide(LONG, {}, { isIdle: true }), 'none: below-threshold'],
  ['not idle', () => decide(LONG, { idleThresholdTokens: 1 }), 'none: below-threshold'],
]

for (const [name, actual, expected] of cases)
  t.test(`rule 11: ${name}`, async (t) => {
    t.equal(actual(), expected)
  })

const TABLE: [rule: string, settings: CompactionSettings, threshold: number | null][] = [
  ['thresholdTokens where positive', { contextWindow: 200_000, thresholdTokens: 90_000, thresholdPercent: 10 }, 90_000],
  ['... within the window less 1', { contextWindow: 1000, thresholdTokens: 1000 }, 999],
  ['... and without a window too', { thresholdTokens: 90_000, thresholdPercent: 10 }, 90_000],
  ['else null without a window', { thresholdPercent: 80, outputLimit: 100, reserveTokens: 5 }, null],
  ['... also where thresholdTokens is 0', { thresholdTokens: 0 }, null],
  ['thresholdPercent where positive', { contextWindow: 1000, thresholdPercent: 80, outputLimit: 100 }, 800],
  ['... rounded down', { contextWindow: 999, thresholdPercent: 50.5 }, 504],
  ['... exactly, though 0.29 of it is not', { contextWindow: 100, thresholdPercent: 29 }, 29],
  ['... 1 at the least', { contextWindow: 1000, thresholdPercent: 0.01 }, 10],
  ['... 99 at the most', { contextWindow: 1000, thresholdPercent: 100 }, 990],
  ['... unset at 0', { contextWindow: 1000, thresholdPercent: 0, reserveTokens: 300 }, 700],
  ['the window less the output limit', { contextWindow: 200_000, outputLimit: 8192, reserveTokens: 1 }, 191_808],
  ['... of which 32000 count', { contextWindow: 200_000, outputLimit: 64_000 }, 168_000],
  ['... and 0 at the least', { contextWindow: 1000, outputLimit: 8192 }, 0],
  ['else the window less 15 % of it', { contextWindow: 200_000 }, 170_000],
  ['... rounded down', { contextWindow: 200_001 }, 170_000],
  ['or less the reserve, which is larger here', { contextWindow: 64_000 }, 47_616],
  ['... as it was given', { contextWindow: 200_000, reserveTokens: 50_000 }, 150_000],
  ['a reserve as large as the window becomes 15 %', { contextWindow: 10_000, reserveTokens: 10_000 }, 8500],
  ['... a larger one too', { contextWindow: 10_000, reserveTokens: 50_000 }, 8500],
  ['... one token less does not', { contextWindow: 10_000, reserveTokens: 9999 }, 1],
  ['a default reserve that leaves less than 15 % becomes 15 %', { contextWindow: 16_385 }, 13_927],
  ['... a given one of the same size does not', { contextWindow: 16_385, reserveTokens: 16_384 }, 1],
  ['... one that leaves a little more than 15 % does not', { contextWindow: 19_276 }, 2892],
  ['... one that leaves a little less does', { contextWindow: 19_275 }, 16_383],
  ['a window of one token leaves none', { contextWindow: 1 }, 0],
]

for (const [rule, settings, threshold] of TABLE)
  t.test(`rule 11: ${rule} (${JSON.stringify(settings)})`, async (t) => {
    t.equal(computeThreshold(settings), threshold)
  })
