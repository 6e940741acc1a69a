import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecallReply } from '../schemas/recall.ts'
import { send } from './service.ts'
import { writeRequest } from './session-document.ts'
import type { OpenedSession } from './use-session.ts'

/** `older`: all before the entries that stay. `replaced`: what the agent no longer sees, since an earlier compaction. */
export type LookupScope = 'all' | 'replaced' | 'older'

/** The query of a user. */
export interface LookupFields {
  text: string
  kind: RecallKind | undefined
  scope: LookupScope
}

/** The limit of the passages of a page, in tokens: some screens of text. */
const PAGE_TOKENS = 6000

interface LookupOptions extends LookupFields {
  offset: number
  signal: AbortSignal
}

/** Looks up passages of a session (`POST /recall`). @throws ServiceProblem; AbortError */
export async function sendLookup(
  { document, plan: { firstKeptEntryId }, entries }: Pick<OpenedSession, 'document' | 'plan' | 'entries'>,
  { text, kind, scope, offset, signal }: LookupOptions,
): Promise<RecallReply> {
  const words = text.trim()
  const { query, body, contentType } = await writeRequest(document, {
    ...(entries.some(({ id }) => id === words) ? { entryIds: [words] } : { query: words }),
    ...(kind !== undefined && { kinds: [kind] }),
    scope: scope === 'replaced' ? 'replaced' : 'all',
    ...(scope === 'older' && firstKeptEntryId !== null && { before: firstKeptEntryId }),
    maxTokens: PAGE_TOKENS,
    offset,
  })
  const response = await send('recall', { query, body, contentType, signal })
  return (await response.json()) as RecallReply
}
