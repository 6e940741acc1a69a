import t from 'tap'
import { computeThreshold, type CompactionSettings } from '../../src/plan/settings.ts'

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
