/** Why a plan advises what it advises (`reason` of a plan), in words. */
export const REASONS = {
  overflow: 'the context has overflowed',
  incomplete: 'the last answer is incomplete',
  threshold: 'the context is above the threshold',
  idle: 'the session is idle',
  'below-threshold': 'the context is below the threshold',
  'no-threshold': 'neither a context window nor a threshold is known',
  'nothing-to-compact': 'there is nothing to compact',
} as const
