// An agent with the AI SDK (ai 6.0) whose messages Précis compacts between two steps.
// The setting: `prepareStep: compactMessages({ ... })`; copy compact-messages.ts into your project.
// To run it: npm ci && OPENAI_API_KEY=... COMPACTION_URL=http://127.0.0.1:8080 npx tsx ai-sdk-prepare-step.ts
import { openai } from '@ai-sdk/openai'
import { generateText, stepCountIs, tool } from 'ai'
import { z } from 'zod'
import { compactMessages } from './compact-messages.ts'

const { COMPACTION_URL: url = 'http://127.0.0.1:8080', COMPACTION_TOKEN: token = 'none' } = process.env

const read = tool({
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => `// ${path}\n${'export const add = (a: number, b: number) => a + b\n'.repeat(80)}`,
})

const { text, steps } = await generateText({
  model: openai('gpt-5-mini'),
  prompt: 'Read src/a.ts, then src/b.ts, and so on up to src/h.ts, and name their exports. Never change a file.',
  tools: { read },
  stopWhen: stepCountIs(20),
  prepareStep: compactMessages({ url, token, limitTokens: 3000, keepRecentTokens: 1000 }),
})
console.log(`${text}\n${steps.length} steps`)
