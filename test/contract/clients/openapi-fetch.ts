import createClient from 'openapi-fetch'
import type { paths } from '../generated/types.ts'
import { chat, check, messages, session, token, url } from './setup.ts'

const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })

const file = await client.POST('/compaction', {
  params: { query: { keepRecentTokens: 8000 } },
  headers: { 'content-type': 'application/x-ndjson' },
  body: session,
  bodySerializer: String,
})
check('a session file', [file.data?.firstKeptEntryId, file.data?.report.model], ['65982522', 'embedded'])

const small = await client.POST('/compaction', { body: { messages, settings: { keepRecentTokens: 4 } } })
check('messages', small.data?.firstKeptEntryId, 'm2')
const summary: string = small.data?.summary ?? ''
check('a summary', summary.startsWith('## Goal'), true)

const plan = await client.POST('/compaction/plan', { body: { session, settings: { contextWindow: 50_000 } } })
check('a plan', plan.data?.action, 'compact')

const pruned = await client.POST('/prune', { body: { session, prune: { protectTokens: 2000, minimumSavings: 0 } } })
check('pruned', (pruned.data?.tokensSaved ?? 0) > 1000, true)

const completion = await client.POST('/v1/chat/completions', { body: { messages: chat } })
check('a chat completion', completion.data?.choices[0]?.message.role, 'assistant')

const refused = await client.POST('/compaction', { body: { messages: [] } })
check('a problem', refused.error?.type, 'urn:precis:problem:nothing-to-compact')
