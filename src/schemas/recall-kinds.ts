/** The kinds of passages of a session. */
export const RECALL_KINDS = [
  'request',
  'answer',
  'thinking',
  'call',
  'output',
  'failure',
  'edit',
  'commit',
  'summary',
] as const
export type RecallKind = (typeof RECALL_KINDS)[number]

export const RECALL_ORDERS = ['relevance', 'oldest', 'newest'] as const

/** The searched part: the entries that the agent no longer sees, or the whole session. */
export const RECALL_SCOPES = ['replaced', 'all'] as const
