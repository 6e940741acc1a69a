import type { RecallKind } from '../schemas/recall-kinds.ts'

/** A request to look passages up. */
export interface Lookup {
  query?: string | undefined
  entryIds?: readonly string[] | undefined
  around?: number | undefined
  kinds?: readonly RecallKind[] | undefined
  tool?: string | undefined
  path?: string | undefined
  before?: string | undefined
  after?: string | undefined
  order?: 'relevance' | 'oldest' | 'newest' | undefined
  scope?: 'replaced' | 'all' | undefined
  maxTokens?: number | undefined
  offset?: number | undefined
}
