// Summarizes and compacts a conversation over the Responses API, with the package openai 6.49.
// The setting: `baseURL` is the address of Précis with /v1, or with /messages/v1 if another model server reads the items.
// To run it: npm ci && COMPACTION_URL=http://127.0.0.1:8080 npx tsx openai-responses.ts
import OpenAI from 'openai'
import { conversation, question } from './conversation.ts'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env
const client = new OpenAI({ baseURL: `${COMPACTION_URL}/v1`, apiKey: COMPACTION_TOKEN })
const clientForMessages = new OpenAI({ baseURL: `${COMPACTION_URL}/messages/v1`, apiKey: COMPACTION_TOKEN })

const request = { model: 'precis', input: [...conversation, question] }
console.log(`Whole:\n${(await client.responses.create(request)).output_text}`)

console.log('Streamed:')
for await (const event of await client.responses.create({ ...request, stream: true }))
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)

// The output is the whole next input of a model: the messages of the user, and the summary of everything.
const compact = { model: 'gpt-5-mini', input: conversation }
const { output: messages } = await clientForMessages.responses.compact(compact)
console.log(`\nCompacted to messages:\n${JSON.stringify(messages, null, 2)}`)
// Only Précis reads this item again.
const { output: items } = await client.responses.compact(compact)
console.log(`Compacted to items:\n${JSON.stringify(items, null, 2)}`)
