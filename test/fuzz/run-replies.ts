import { pathToFileURL } from 'node:url'
import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Random } from '../../bench/support/create-random.ts'
import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/settings.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { WorkerPool } from '../../src/runtime/worker-pool.ts'
import { BranchSummaryReplySchema } from '../../src/schemas/branch-summary.ts'
import { ChatCompletionReplySchema } from '../../src/schemas/chat-completion.ts'
import { CompactionReplySchema } from '../../src/schemas/compaction-reply.ts'
import BRANCH_EXAMPLE from '../../examples/api/summarizeBranch.json' with { type: 'json' }
import CHAT_EXAMPLE from '../../examples/api/createChatCompletion.json' with { type: 'json' }
import CONVERSATION_EXAMPLE from '../../examples/api/session.conversation.json' with { type: 'json' }
import ENTRIES_EXAMPLE from '../../examples/api/session.entries.json' with { type: 'json' }
import MESSAGES_EXAMPLE from '../../examples/api/session.messages.json' with { type: 'json' }
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { HandoffReplySchema } from '../../src/schemas/handoff.ts'
import { compiled } from '../support/compile-source.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { templates } from '../support/templates.ts'
import { fuzz, type FuzzOptions, type FuzzReport } from './fuzz-loop.ts'
import { makeReply } from './make-replies.ts'
import { openRawModelServer } from './raw-model-server.ts'
import { FUZZ_KEY, watchLog } from './watch-log.ts'

const WORKER = pathToFileURL(compiled('src/worker.ts'))

/** Every form in which a client may ask for a summary. A split turn makes two calls at the same time. */
export const SUMMARY_REQUESTS: readonly [url: string, payload: Record<string, unknown>][] = [
  ['/compaction', ENTRIES_EXAMPLE],
  ['/compaction', MESSAGES_EXAMPLE],
  ['/compaction', { messages: MESSAGES_EXAMPLE.messages.slice(0, 2), settings: { keepRecentTokens: 1 } }],
  ['/compaction', CONVERSATION_EXAMPLE],
  ['/compaction', PROMPT_EXAMPLE],
  ['/compaction', { ...PROMPT_EXAMPLE, prompt: `${PROMPT_EXAMPLE.prompt}\n${'Row by row. '.repeat(2000)}` }],
  ['/handoff', MESSAGES_EXAMPLE],
  ['/branch-summary', BRANCH_EXAMPLE],
  ['/v1/chat/completions', CHAT_EXAMPLE],
]

/** What each route replies, and where its summary is. */
const REPLIES: Record<string, { schema: TSchema; summary: (reply: Record<string, unknown>) => unknown }> = {
  '/compaction': { schema: CompactionReplySchema, summary: ({ summary }) => summary },
  '/handoff': { schema: HandoffReplySchema, summary: ({ document }) => document },
  '/branch-summary': { schema: BranchSummaryReplySchema, summary: ({ summary }) => summary },
  '/v1/chat/completions': {
    schema: ChatCompletionReplySchema,
    summary: ({ choices }) => (choices as [{ message: { content: string } }])[0].message.content,
  },
}
const CHECKS = Object.fromEntries(
  Object.entries(REPLIES).map(([url, { schema }]) => [url, TypeCompiler.Compile(schema)]),
)

/** Statuses that a broken model server may cause. */
const ALLOWED = new Set([200, 413, 424, 502, 504])

/** Candidates, and the calls and repairs of each, need fewer replies than this. */
const REPLIES_OF_A_CASE = 8

/** Sends good requests to the service, whose model server replies with broken completions. */
export async function runReplies(options: FuzzOptions): Promise<FuzzReport> {
  const { startTimer, runOut } = fakeTimers()
  const server = await openRawModelServer(runOut)
  const config = readSettings({
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: FUZZ_KEY,
    PRECIS_MODEL: 'first,second',
    PRECIS_CACHE_ENTRIES: '0',
  })
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb: 1024 })
  const summarizer = await createSummarizer(config, templates, { time: { wait: () => Promise.resolve(), startTimer } })
  const { logTo, takeFaults } = watchLog()
  const app = await buildApp({
    settings: { ...config, logLevel: 'trace', maxSummaryTokens: 2000 },
    prompts: { templates },
    summarizer,
    maxEventLoopDelayMs: Infinity,
    startTimer,
    jobs: new JobRunner(pool),
    logTo,
  })
  const report = await fuzz('replies', options, async (random: Random) => {
    const replies = Array.from({ length: REPLIES_OF_A_CASE }, () => makeReply(random))
    const [url, payload] = random.pick(SUMMARY_REQUESTS)
    server.answerWith(replies)
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload })
    const content = [JSON.stringify(payload), ...replies.map((reply) => reply.content)]
    const fault = findFault(url, statusCode, body)
    return { statuses: [statusCode], faults: [...(fault === undefined ? [] : [fault]), ...takeFaults(content)] }
  })
  await app.close()
  server.close()
  return report
}

/** Returns what is wrong with a reply of the service, if anything is. */
export function findFault(url: string, status: number, body: string): string | undefined {
  const shown = `${url} replied ${status}: ${body.slice(0, 300)}`
  if (!ALLOWED.has(status)) return shown
  if (status !== 200 && body.includes(FUZZ_KEY)) return `the key is in a problem: ${shown}`
  const reply = JSON.parse(body) as Record<string, unknown>
  if (status !== 200) return String(reply['type']).endsWith(':internal') ? shown : undefined
  const summary = REPLIES[url]?.summary(reply)
  if (!/[\p{L}\p{N}]/u.test(String(summary))) return `a blank summary: ${shown}`
  const [wrong] = CHECKS[url]?.Errors(reply) ?? []
  return wrong === undefined ? undefined : `${wrong.path} ${wrong.message}: ${shown}`
}
