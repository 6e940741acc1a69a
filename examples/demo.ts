import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { Environment } from '../src/environment.ts'
import { createSummarizer } from '../src/model/create-summarizer.ts'
import { loadTemplates } from '../src/prompt/templates.ts'
import type { BranchSummaryReply } from '../src/schemas/branch-summary.ts'
import type { CompactionReply } from '../src/schemas/compaction-reply.ts'
import type { HandoffReply } from '../src/schemas/handoff.ts'
import type { PlanReply } from '../src/schemas/plan.ts'
import type { PruneReply } from '../src/schemas/prune.ts'

/**
 * Starts the service on a free port, sends it `session.jsonl` over HTTP, and prints the replies.
 * `npm run demo` compacts; `npm run demo -- plan | prune | branch | handoff | context` shows the other routes.
 * The environment is ignored, so that the demo always has the same result and costs nothing; `--model` reads the
 * variables of the model server.
 */
const { values: flags, positionals } = parseArgs({
  options: { model: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const config = readConfig({
  ...(flags.model ? modelVariables() : {}),
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
})
if (flags.model && config.model === undefined)
  throw new Error('--model needs a model server: set OPENAI_API_KEY or OPENAI_BASE_URL.')
const templates = loadTemplates(new URL('../prompts/', import.meta.url))
const app = await buildApp({ config, templates, summarizer: await createSummarizer(config, templates), ...config })
const url = await app.listen({ host: config.host, port: config.port })
const session = readFileSync(new URL('session.jsonl', import.meta.url), 'utf8')

function modelVariables(): Environment {
  const names = [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'PRECIS_MODEL',
    'PRECIS_CONTEXT_WINDOW',
    'PRECIS_REASONING_EFFORT',
  ]
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

async function post(path: string): Promise<unknown> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const response = await fetch(url + path, { method: 'POST', headers, body: session })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

function printPlan({ entries, ...plan }: PlanReply): void {
  const count = (region: string): number => entries.filter((entry) => entry.region === region).length
  const regions = ['covered', 'summarized', 'turn-prefix', 'kept'].map((region) => `${count(region)} ${region}`)
  const threshold = plan.thresholdTokens === null ? 'context window unknown' : `compact above ${plan.thresholdTokens}`
  console.log(`Session    ${entries.length} entries, ${plan.contextTokens} tokens in the context (${threshold})`)
  console.log(`Advice     ${plan.action}: ${plan.reason}`)
  console.log(`Plan       ${regions.join(', ')}`)
  console.log(
    `Cut        before entry ${plan.firstKeptEntryId ?? '-'}${plan.isSplitTurn ? ', in the middle of a turn' : ''}`,
  )
  console.log(`Previous   ${plan.hasPreviousSummary ? 'an earlier summary is brought up to date' : 'none'}`)
}

function printReply({ summary, shortSummary, tokensBefore = 0, tokensAfter = 0, report }: CompactionReply): void {
  const savedPercent = Math.round((1 - tokensAfter / tokensBefore) * 100)
  console.log(`\n${summary}\n`)
  console.log(`In short   ${shortSummary}`)
  console.log(`Saved      ${tokensBefore} -> ${tokensAfter} tokens (${savedPercent} % less)`)
  console.log(
    `Written by ${report.model === 'embedded' ? 'the embedded summarizer' : report.model} in ${report.durationMs} ms, ${report.calls} model calls`,
  )
}

/** Returns a summary of the last turn, as if the agent left it and went back to its beginning. */
async function leaveLastTurn(): Promise<BranchSummaryReply> {
  const entries = session
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const lastTurn = entries.findLast(({ message }) => (message as { role?: string } | undefined)?.role === 'user')
  return (await post(
    `/branch-summary?fromId=${String(entries.at(-1)?.['id'])}&targetId=${String(lastTurn?.['parentId'])}`,
  )) as BranchSummaryReply
}

const shows: Record<string, () => Promise<void>> = {
  async compaction() {
    printPlan((await post('/compaction/plan?contextWindow=50000')) as PlanReply)
    printReply((await post('/compaction')) as CompactionReply)
  },
  async plan() {
    printPlan((await post('/compaction/plan?contextWindow=40000')) as PlanReply)
  },
  async prune() {
    const { pruned, tokensSaved } = (await post('/prune?protectTokens=2000&minimumSavings=0')) as PruneReply
    for (const { id, tokens } of pruned) console.log(`${id}  ${tokens} tokens of output`)
    console.log(`Pruned     ${pruned.length} outputs, ${tokensSaved} tokens saved`)
  },
  async branch() {
    const { summary, entryIds } = await leaveLastTurn()
    console.log(`${summary}\n\nLeft behind ${entryIds.length} entries`)
  },
  async handoff() {
    console.log(((await post('/handoff')) as HandoffReply).document)
  },
  async context() {
    const { messages } = (await post('/context')) as {
      messages: { role: string; content: { type: string; text?: string }[] }[]
    }
    for (const { role, content } of messages)
      console.log(
        `${role.padEnd(10)} ${content
          .map(({ type, text }) => text ?? type)
          .join(' ')
          .replace(/\s+/g, ' ')
          .slice(0, 100)}`,
      )
  },
}

try {
  const name = positionals[0] ?? 'compaction'
  const show = shows[name]
  if (show === undefined) throw new Error(`There is no demo "${name}". Choose one of ${Object.keys(shows).join(', ')}.`)
  await show()
} finally {
  await app.close()
}
