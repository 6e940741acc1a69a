// An agent with the OpenAI Agents SDK (@openai/agents 0.14) whose session Précis compacts after a turn.
// The setting: `client` with the address of Précis and /messages/v1, and a `model` whose name begins with gpt-.
// To run it: npm ci && OPENAI_API_KEY=... COMPACTION_URL=http://127.0.0.1:8080 npx tsx agents-sdk.ts
import { Agent, MemorySession, OpenAIResponsesCompactionSession, run } from '@openai/agents'
import OpenAI from 'openai'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env

const session = new OpenAIResponsesCompactionSession({
  client: new OpenAI({ baseURL: `${COMPACTION_URL}/messages/v1`, apiKey: COMPACTION_TOKEN }),
  model: 'gpt-5-mini',
  compactionMode: 'input',
  underlyingSession: new MemorySession(),
  shouldTriggerCompaction: ({ sessionItems }) => sessionItems.length >= 6,
})
const agent = new Agent({ name: 'Coder', instructions: 'You fix programs.', model: 'gpt-5-mini' })
const requests = [
  'Fix src/calc.ts, and never touch test/calc.test.ts.',
  'Why did it fail?',
  'Is it safe?',
  'Thanks. Go on.',
]
for (const request of requests) await run(agent, request, { session })
console.log(JSON.stringify(await session.getItems(), null, 2))
