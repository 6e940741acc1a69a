// Asks for the summary of a conversation with the AI SDK: ai 6.0, @ai-sdk/openai-compatible 2.0 and @ai-sdk/openai 3.0.
// The setting: `baseURL` is the address of Précis with /v1, `apiKey` a service token (any text if it has none).
// To run it: npm ci && COMPACTION_URL=http://127.0.0.1:8080 npx tsx ai-sdk-chat.ts
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import { conversation, question } from './conversation.ts'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = 'none' } = process.env
const settings = { baseURL: `${COMPACTION_URL}/v1`, apiKey: COMPACTION_TOKEN }
const compatible = createOpenAICompatible({ ...settings, name: 'precis' })
const openai = createOpenAI(settings)

const messages = [...conversation, question]
for (const model of [compatible('precis'), openai.chat('precis'), openai.responses('precis')]) {
  console.log(`Whole, ${model.provider}:\n${(await generateText({ model, messages })).text}`)
  console.log(`Streamed, ${model.provider}:`)
  for await (const text of streamText({ model, messages }).textStream) process.stdout.write(text)
  process.stdout.write('\n')
}
