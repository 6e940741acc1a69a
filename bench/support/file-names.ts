import type { Random } from './create-random.ts'

const PLACES = [
  'packages/billing/src',
  'packages/ledger/src/posting',
  'packages/dashboard/src/widgets',
  'packages/worker/src',
  'services/webhooks/delivery',
  'services/nightly/src/steps',
  'services/pdf/src',
  'packages/flags/src',
] as const
const SUBJECTS = ['invoice', 'credit-note', 'customer', 'audit', 'period', 'rate-limit', 'draft', 'checkout'] as const
const PARTS = ['export', 'store', 'rules', 'view', 'queue', 'schema', 'mapper', 'clock'] as const
const ENDINGS = ['.ts', '.ts', '.ts', '.tsx', '.sql', '.rs', '.go', '.test.ts'] as const

/** Returns as many distinct paths as requested, like those of a repository. */
export function makePaths(random: Random, count: number): string[] {
  const paths = new Set<string>()
  while (paths.size < count)
    paths.add(`${random.pick(PLACES)}/${random.pick(SUBJECTS)}-${random.pick(PARTS)}${random.pick(ENDINGS)}`)
  return [...paths]
}
