import { compact, createChatCompletion, getReadiness, planCompaction, prune } from '../generated/hey-api/index.ts'
import { client } from '../generated/hey-api/client.gen.ts'
import { chat, check, messages, session, token, url } from './setup.ts'

client.setConfig({ baseUrl: url, auth: token })

const file = await compact({ body: { session, settings: { keepRecentTokens: 8000 } } })
check('a session file', [file.data?.firstKeptEntryId, file.data?.report.model], ['65982522', 'embedded'])

const small = await compact({ body: { messages, settings: { keepRecentTokens: 4 } } })
check('messages', small.data?.firstKeptEntryId, 'm2')

const plan = await planCompaction({ body: { session, settings: { contextWindow: 50_000 } } })
check('a plan', plan.data?.action, 'compact')

const pruned = await prune({ body: { session, prune: { protectTokens: 2000, minimumSavings: 0 } } })
check('pruned', (pruned.data?.tokensSaved ?? 0) > 1000, true)

const completion = await createChatCompletion({ body: { messages: chat } })
check('a chat completion', completion.data?.choices[0]?.message.role, 'assistant')

check('readiness', (await getReadiness()).data?.status, 'ready')

const refused = await compact({ body: { messages: [] } })
check('a problem', refused.error?.type, 'urn:precis:problem:nothing-to-compact')
