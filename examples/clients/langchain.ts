// An agent with LangChain (langchain 1.5, @langchain/openai 1.5) whose summarization middleware calls Précis.
// The setting: `model: new ChatOpenAI({ configuration: { baseURL } })`. Without `trimTokensToSummarize`, LangChain sends only
// the last 4,000 tokens. To run it: npm ci && OPENAI_API_KEY=... COMPACTION_URL=http://127.0.0.1:8080 npx tsx langchain.ts
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, summarizationMiddleware } from 'langchain'
import { conversation } from './conversation.ts'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env

const summarizer = new ChatOpenAI({
  model: 'precis',
  apiKey: COMPACTION_TOKEN,
  configuration: { baseURL: `${COMPACTION_URL}/v1` },
})
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5-mini' }),
  tools: [],
  middleware: [
    summarizationMiddleware({
      model: summarizer,
      trigger: { messages: 4 },
      keep: { messages: 1 },
      trimTokensToSummarize: 1_000_000,
    }),
  ],
})
const { messages } = await agent.invoke({
  messages: [...conversation, { role: 'user', content: 'Write that into the changelog.' }],
})
for (const message of messages) console.log(`[${message.getType()}] ${message.text}`)
