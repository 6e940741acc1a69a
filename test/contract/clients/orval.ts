import { compact, createChatCompletion, planCompaction, prune } from '../generated/orval.ts'
import { chat, check, messages, session, token, url } from './setup.ts'

/** Orval writes paths without a host; an application sets it in its own fetch. */
const { fetch: send } = globalThis
globalThis.fetch = (path, init) => send(url + String(path), init)

const options = { headers: { authorization: `Bearer ${token}` } }

const file = await compact({ session, settings: { keepRecentTokens: 8000 } }, {}, options)
if (file.status !== 200) throw new Error(file.data.detail)
check('a session file', [file.data.firstKeptEntryId, file.data.report.model], ['65982522', 'embedded'])

const small = await compact({ messages, settings: { keepRecentTokens: 4 } }, {}, options)
check('messages', small.status === 200 && small.data.firstKeptEntryId, 'm2')

const plan = await planCompaction({ session, settings: { contextWindow: 50_000 } }, {}, options)
check('a plan', plan.status === 200 && plan.data.action, 'compact')

const pruned = await prune({ session, prune: { protectTokens: 2000, minimumSavings: 0 } }, {}, options)
check('pruned', pruned.status === 200 && pruned.data.tokensSaved > 1000, true)

const completion = await createChatCompletion({ messages: chat }, options)
check('a chat completion', completion.status === 200 && completion.data.choices[0]?.message.role, 'assistant')

const refused = await compact({ messages: [] }, {}, options)
check('a problem', refused.status === 422 && refused.data.type, 'urn:precis:problem:nothing-to-compact')
