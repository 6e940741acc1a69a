import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createAsk } from './ask-model.ts'
import { redactText } from '../src/redact/redact-text.ts'
import type { Entry } from '../src/session/entry.ts'
import type { ContentBlock, Message } from '../src/session/message.ts'
import { AGENT_PACKAGES, findBun, installPackages } from './install-packages.ts'
import type { Baseline } from './options.ts'
import type { SessionCut, SessionFile } from './session.ts'

/** An entry as pi and oh-my-pi write it. */
export type BaselineEntry = Readonly<Record<string, unknown>>

/** A message to the process of a baseline. */
export type ToBaseline =
  { kind: 'start'; entries: BaselineEntry[]; model: object } | { kind: 'reply'; id: number; text: string }

/** A message from the process of a baseline. */
export type FromBaseline =
  | { kind: 'ready' }
  | { kind: 'call'; id: number; system: string; prompt: string }
  | { kind: 'summary'; summary: string; firstKeptEntryId: string }
  | { kind: 'fault'; text: string }

export interface BaselineOptions {
  file: SessionFile
  cut: SessionCut
  /** Where its model calls go. */
  server: { url: string; model: string }
  contextWindow: number
  redact: boolean
  print: (line: string) => void
}

const SCRIPT = fileURLToPath(new URL('./run-baseline.ts', import.meta.url))

/**
 * Returns the summary that another agent writes of the session before a cut: with its own code, its own prompts and its
 * own transcript.
 * @throws Error if the agent cannot be installed, fails, or cuts elsewhere
 */
export async function compactByBaseline(baseline: Baseline, options: BaselineOptions): Promise<string> {
  const { file, cut, server, contextWindow, redact, print } = options
  const folder = installPackages(AGENT_PACKAGES[baseline], print)
  const model = {
    id: server.model,
    name: server.model,
    api: 'openai-completions',
    provider: 'evaluation',
    contextWindow,
  }
  const entries = file.branch
    .slice(0, cut.messageIndex + 1)
    .map((entry, index) => writeEntry(entry, index, { file, cut, redact }))
  const ask = createAsk({ baseUrl: server.url, model: server.model })
  const { summary, firstKeptEntryId } = await runProcess(baseline, folder, { entries, model, ask })
  const at = file.branch.findIndex(({ id }) => id === firstKeptEntryId)
  if (at === -1 || file.branch.slice(at, cut.messageIndex).some(({ message }) => message !== undefined))
    throw new Error(
      `It cuts this session before the entry ${firstKeptEntryId}, not before ${cut.id}. Choose another --cut.`,
    )
  return summary
}

interface ProcessWork {
  entries: BaselineEntry[]
  model: object
  ask: (prompt: string, system?: string) => Promise<string>
}

async function runProcess(
  baseline: Baseline,
  folder: string,
  { entries, model, ask }: ProcessWork,
): Promise<{ summary: string; firstKeptEntryId: string }> {
  const child = startProcess(baseline, folder)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', () => {
        reject(new Error('Its process ended before it had written a summary.'))
      })
      const send = (message: ToBaseline): void => void child.send(message)
      child.on('message', (message: FromBaseline) => {
        if (message.kind === 'ready') send({ kind: 'start', entries, model })
        else if (message.kind === 'summary') resolve(message)
        else if (message.kind === 'fault') reject(new Error(`It failed: ${message.text}`))
        else
          ask(message.prompt, message.system).then((text) => {
            send({ kind: 'reply', id: message.id, text })
          }, reject)
      })
    })
  } finally {
    child.kill()
  }
}

function startProcess(baseline: Baseline, folder: string) {
  const bun = baseline === 'pi' ? undefined : findBun(folder)
  if (baseline !== 'pi' && bun === undefined) throw new Error('There is no Bun for this machine, which it needs.')
  const loader = bun === undefined ? ['--import', 'tsx'] : []
  // Without the keys of this process. Files that it writes at home stay in the scratch folder.
  const env = { PATH: process.env['PATH'], HOME: folder }
  return spawn(bun ?? process.execPath, [...loader, SCRIPT, baseline, folder], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } }
const TIME = '1970-01-01T00:00:00.000Z'

/** Returns an entry in the form of pi's session version 3. Everything that depends on time is left out. */
function writeEntry(
  { id, message, compaction }: Entry,
  index: number,
  { file, cut, redact }: Pick<BaselineOptions, 'file' | 'cut' | 'redact'>,
): BaselineEntry {
  const head = { id, parentId: file.branch[index - 1]?.id ?? null, timestamp: TIME }
  if (compaction !== undefined) {
    const summary = redact ? redactText(compaction.summary).text : compaction.summary
    return {
      ...head,
      type: 'compaction',
      summary,
      firstKeptEntryId: compaction.firstKeptEntryId ?? '',
      tokensBefore: 0,
    }
  }
  if (message === undefined) return { ...head, type: 'custom', customType: 'left-out' }
  const written = writeMessage(message)
  // An agent skips a message without tokens when it looks for the cut, so the kept one needs some text; it is not used.
  const kept = index === cut.messageIndex && 'content' in message
  return {
    ...head,
    type: 'message',
    message: kept ? { ...written, content: [{ type: 'text', text: 'kept' }] } : written,
  }
}

function writeMessage(message: Message): Record<string, unknown> {
  if (!('content' in message)) return { ...message, fromId: '', tokensBefore: 0, timestamp: 0 }
  const content = message.content.map((block): ContentBlock =>
    block.type === 'image' ? { type: 'text', text: '[Image]' } : block,
  )
  const role = message.role === 'custom' || message.role === 'other' ? 'user' : message.role
  const usage = role === 'assistant' ? { usage: NO_USAGE, api: 'openai-completions' } : {}
  return { ...message, ...usage, role, content, timestamp: 0 }
}
