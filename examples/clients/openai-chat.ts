// Asks for the summary of a conversation over chat completions, whole and streamed, with the package openai 6.49.
// The setting: `baseURL` is the address of Précis with /v1, `apiKey` a service token (any text if it has none).
// To run it: npm ci && COMPACTION_URL=http://127.0.0.1:8080 npx tsx openai-chat.ts
import OpenAI from 'openai'
import { conversation, question } from './conversation.ts'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env
const client = new OpenAI({ baseURL: `${COMPACTION_URL}/v1`, apiKey: COMPACTION_TOKEN })

// Précis writes with the models of its own configuration, and ignores the name in a request.
const [model] = (await client.models.list()).data
console.log(`Model: ${model?.id ?? 'none'}`)

const request = { model: 'precis', messages: [...conversation, question] }
const completion = await client.chat.completions.create(request)
console.log(`Whole:\n${completion.choices[0]?.message.content ?? ''}`)

console.log('Streamed:')
for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
process.stdout.write('\n')
