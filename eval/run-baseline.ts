import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BaselineEntry, FromBaseline, ToBaseline } from './baseline.ts'

/**
 * Runs the compaction of another agent as a process, on Node or on Bun. Its arguments: the agent, and the folder where it
 * is installed. It gets a session over IPC, sends its prompts to the parent process, and returns its summary.
 */
const [agent = '', folder = ''] = process.argv.slice(2)

const send = (message: FromBaseline): void => void process.send?.(message)

const replies = new Map<number, (text: string) => void>()
let calls = 0

/** The parent process makes the model call. */
async function call(system: unknown, messages: readonly { content: unknown }[]): Promise<object> {
  const id = calls++
  const text = await new Promise<string>((resolve) => {
    replies.set(id, resolve)
    send({ kind: 'call', id, system: textOf(system), prompt: textOf(messages[0]?.content) })
  })
  return asMessage(text)
}

const asMessage = (text: string): object => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'stop',
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: {} },
  timestamp: 0,
})

/** A prompt is a string, or a list of strings or text blocks. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const parts = Array.isArray(value) ? (value as (string | { text?: string })[]) : []
  return parts.map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join('\n')
}

interface Context {
  systemPrompt?: unknown
  messages: { role: string; content: unknown }[]
}

interface Result {
  summary: string
  firstKeptEntryId: string
}

const SETTINGS = { keepRecentTokens: 1, reserveTokens: 16_384, remoteEnabled: false }

type Unknown = (...args: unknown[]) => unknown

/** In pi 0.87.1, the last argument given here is the function that calls the model. */
async function runPi(entries: readonly BaselineEntry[], model: object): Promise<Result> {
  const path = 'node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/compaction.js'
  const module = (await import(pathToFileURL(join(folder, path)).href)) as Record<string, Unknown>
  const settings = { ...(module['DEFAULT_COMPACTION_SETTINGS'] as unknown as object), ...SETTINGS }
  const stream = async (_model: object, { systemPrompt, messages }: Context): Promise<object> => ({
    result: () =>
      call(
        systemOf(systemPrompt, messages),
        messages.filter(({ role }) => role !== 'system'),
      ),
  })
  const prepared = module['prepareCompaction']?.(entries, settings)
  const none = undefined
  return (await module['compact']?.(prepared, model, 'none', none, none, none, none, stream)) as Result
}

/** pi moves its system prompt into the messages. */
const systemOf = (systemPrompt: unknown, messages: Context['messages']): unknown =>
  systemPrompt ?? messages.find(({ role }) => role === 'system')?.content

/** oh-my-pi asks for a line for its list of sessions too. No agent reads it, so it costs no call here. */
const MAX_SHORT_SUMMARY_TOKENS = 512

async function runOhMyPi(entries: readonly BaselineEntry[], model: object): Promise<Result> {
  const path = 'node_modules/@oh-my-pi/pi-agent-core/src/compaction/compaction.ts'
  const module = (await import(pathToFileURL(join(folder, path)).href)) as Record<string, Unknown>
  const settings = { ...(module['DEFAULT_COMPACTION_SETTINGS'] as unknown as object), ...SETTINGS }
  const completeImpl = async (_model: object, context: Context, { maxTokens }: { maxTokens: number }) =>
    maxTokens <= MAX_SHORT_SUMMARY_TOKENS ? asMessage('-') : call(context.systemPrompt, context.messages)
  const prepared = module['prepareCompaction']?.(entries, settings, model)
  return (await module['compact']?.(prepared, model, 'none', undefined, undefined, { completeImpl })) as Result
}

process.on('message', (message: ToBaseline) => {
  if (message.kind === 'reply') {
    replies.get(message.id)?.(message.text)
    return
  }
  const { entries, model } = message
  const run = agent === 'pi' ? runPi : runOhMyPi
  run(entries, model).then(
    ({ summary, firstKeptEntryId }) => {
      send({ kind: 'summary', summary, firstKeptEntryId })
    },
    (error: unknown) => {
      send({ kind: 'fault', text: String(error).split('\n')[0] ?? '' })
    },
  )
})
send({ kind: 'ready' })
