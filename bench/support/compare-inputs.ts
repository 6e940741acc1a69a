import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { compactByBaseline } from '../../eval/baseline.ts'
import { BASELINES, type Baseline } from '../../eval/options.ts'
import { compactUpTo } from '../../eval/service.ts'
import { findCut, readSessionFile, type SessionCut, type SessionFile } from '../../eval/session.ts'
import type { ModelServer } from '../../test/support/model-server.ts'
import { english } from './english.ts'
import { openForgetfulModel } from './forgetful-model.ts'
import { printTable } from './print-table.ts'

/** One span of a real session for each agent whose own code can cut there. */
const SPANS = [
  { file: '../../../shared/sessions/pi-v1-large.jsonl', cut: 'e779' },
  {
    file: '../../../shared/agents/samples/claude-code/session-2.1.39-4d5611e5.jsonl',
    cut: '63fd0652-4264-44ef-87fc-400f4860e80b',
  },
] as const

const CONTEXT_WINDOW = '200000'

interface Span {
  file: SessionFile
  cut: SessionCut
}

/** Prints the input tokens of one compaction, by this service and by other agents, for the same entries. */
export async function compareInputs(): Promise<void> {
  const rows: string[][] = []
  for (const { file: path, cut } of SPANS) {
    const url = new URL(path, import.meta.url)
    if (!existsSync(url)) continue
    const file = readSessionFile(fileURLToPath(url), true)
    const span = { file, cut: findCut(file, cut) }
    const own = await countInput((server) => compactOwn(span, server))
    rows.push([file.name, String(own), ...(await Promise.all(BASELINES.map((agent) => describeInput(agent, span))))])
  }
  if (rows.length === 0) console.log('The real sessions (../shared) are missing: input tokens are not compared.')
  else printTable(['input tokens', 'Précis', ...BASELINES], rows)
}

const compactOwn = ({ file, cut }: Span, { url }: ModelServer): Promise<unknown> =>
  compactUpTo(file, {
    cut,
    settings: {},
    env: { PRECIS_CONTEXT_WINDOW: CONTEXT_WINDOW },
    model: { baseUrl: url, name: 'forgetful' },
  })

async function describeInput(agent: Baseline, { file, cut }: Span): Promise<string> {
  const options = { file, cut, contextWindow: Number(CONTEXT_WINDOW), redact: true, print: () => undefined }
  try {
    const tokens = await countInput(({ url }) =>
      compactByBaseline(agent, { ...options, server: { url, model: 'forgetful' } }),
    )
    return String(tokens)
  } catch (error) {
    console.log(`${agent}, ${file.name}: ${(error as Error).message}`)
    return '-'
  }
}

/** Returns the estimated tokens of all prompts that a compaction sends to its model. */
async function countInput(compact: (server: ModelServer) => Promise<unknown>): Promise<number> {
  const server = await openForgetfulModel(english.forgetful)
  try {
    await compact(server)
  } finally {
    await server.close()
  }
  const messages = server.requests.flatMap(({ body }) => body['messages'] as { content: unknown }[])
  return messages.reduce((sum, { content }) => sum + estimateTextTokens(textOf(content)), 0)
}

/** A prompt is a text, or a list of text blocks. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map(({ text = '' }: { text?: string }) => text).join('') : String(content)
