/** Why a plan advises what it advises (`reason` of a plan), in words. */
export const REASONS = {
  overflow: 'the context has overflowed',
  incomplete: 'the last answer is incomplete',
  threshold: 'the context is above the threshold',
  idle: 'the session is idle',
  'below-threshold': 'the context is below the threshold',
  'nothing-to-compact': 'there is nothing to compact',
} as const
