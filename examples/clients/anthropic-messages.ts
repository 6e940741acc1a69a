// Compacts a conversation over Anthropic's Messages API, whole and streamed, with the package @anthropic-ai/sdk 1.12.
// The setting: `baseURL` is the address of Précis without /v1, `apiKey` a service token (any text if it has none).
// To run it: npm ci && COMPACTION_URL=http://127.0.0.1:8080 npx tsx anthropic-messages.ts
import Anthropic from '@anthropic-ai/sdk'
import { conversation } from './conversation.ts'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env
const client = new Anthropic({ baseURL: COMPACTION_URL, apiKey: COMPACTION_TOKEN })

const request = {
  model: 'precis',
  max_tokens: 4096,
  compaction: { type: 'summarize' as const },
  betas: ['compact-2026-09-04' as const],
}
const summaryIn = (message: Anthropic.Beta.BetaMessage): string =>
  message.content.map((block) => (block.type === 'compaction' ? block.content : '')).join('')

const message = await client.beta.messages.create({ ...request, messages: conversation })
console.log(`Whole, stopped by ${message.stop_reason}:\n${summaryIn(message)}`)

const streamed = await client.beta.messages.stream({ ...request, messages: conversation }).finalMessage()
console.log(`Streamed:\n${summaryIn(streamed)}`)

// The block replaces the conversation, and the next compaction updates it. A server that refuses blocks of others gets the same
// summary as the plain messages in the field `precis` of the reply.
const next = [
  { role: 'assistant' as const, content: message.content },
  { role: 'user' as const, content: 'Now add sub().' },
  { role: 'assistant' as const, content: 'sub() is in src/calc.ts now.' },
]
const { precis } = message as typeof message & { precis: { messages: { role: 'user'; content: string }[] } }
for (const messages of [next, [...precis.messages, ...next.slice(1)]])
  console.log(`Updated:\n${summaryIn(await client.beta.messages.create({ ...request, messages }))}`)
