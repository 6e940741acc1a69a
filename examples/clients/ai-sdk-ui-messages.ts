// Compacts the stored messages of a chat with the AI SDK (ai 6.0): those that `useChat` sends, and that a server stores.
// The setting: `"history": true`. The reply then has the compacted list, to store in place of the old one.
// To run it: npm ci && COMPACTION_URL=http://127.0.0.1:8080 npx tsx ai-sdk-ui-messages.ts
import { convertToModelMessages, modelMessageSchema, validateUIMessages, type UIMessage } from 'ai'
import { conversation } from './conversation.ts'

const { COMPACTION_URL: url = 'http://127.0.0.1:8080', COMPACTION_TOKEN: token = 'none' } = process.env

const step = { type: 'step-start' as const }
const read = (path: string) => ({
  ...{ type: 'dynamic-tool' as const, toolName: 'read', toolCallId: `call-${path}`, input: { path } },
  ...{ state: 'output-available' as const, output: 'export const a = 1\n'.repeat(100) },
})
const stored: UIMessage[] = [
  ...conversation.map(({ role, content }, at) => ({
    ...{ id: `message-${at}`, role },
    parts: [{ type: 'text' as const, text: content }],
  })),
  { id: 'message-4', role: 'user', parts: [{ type: 'text', text: 'Look for the same fault elsewhere.' }] },
  // One message has all steps of an answer: the older ones are summarized too.
  { id: 'message-5', role: 'assistant', parts: [step, read('src/a.ts'), step, read('src/b.ts')] },
]

const response = await fetch(`${url}/compaction`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ session: stored, history: true, settings: { keepRecentTokens: 500 } }),
})
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
const { history } = (await response.json()) as { history: unknown }

const messages = await validateUIMessages({ messages: history })
for (const { role, parts } of messages) console.log(`${role}: ${parts.map(({ type }) => type).join(', ')}`)
const forModel = modelMessageSchema.array().parse(await convertToModelMessages(messages))
console.log(JSON.stringify(forModel))
