import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildLocalApp } from '../src/local-app.ts'
import { readSettings } from '../src/settings.ts'
import type { Environment } from '../src/environment.ts'
import type { BranchSummaryReply } from '../src/schemas/branch-summary.ts'
import type { CompactionReply } from '../src/schemas/compaction-reply.ts'
import type { HandoffReply } from '../src/schemas/handoff.ts'
import type { ProblemBody } from '../src/schemas/problem.ts'
import type { PlanReply } from '../src/schemas/plan.ts'
import type { PruneReply } from '../src/schemas/prune.ts'
import { count } from '../src/text/numbers.ts'
import { REASONS } from '../src/text/reasons.ts'

/**
 * Starts the service on a free port, sends it `session.jsonl` over HTTP, and prints the replies.
 * `npm run demo` compacts; `npm run demo -- plan | prune | branch | handoff | context` shows the other routes.
 * The environment is ignored, so that the demo always has the same result and costs nothing; `--model` reads the
 * variables of the model server.
 */
const USAGE = `npm run demo -- [NAME] [--model]

Compacts the example session examples/session.jsonl with a service that it starts itself, and prints the result.
NAME shows another route: plan, prune, branch, handoff or context. Default: compaction.
--model uses the model server of OPENAI_API_KEY, OPENAI_BASE_URL and PRECIS_MODEL. Default: the embedded summarizer.
`

const { flags, name } = readArguments()
const config = readSettings({
  ...(flags.model ? modelVariables() : {}),
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
})
if (flags.model && config.model === undefined)
  exit('--model needs a model server: set OPENAI_API_KEY or OPENAI_BASE_URL.')
const app = await buildLocalApp(config)
const url = await app.listen({ host: config.host, port: config.port })
const session = readFileSync(new URL('session.jsonl', import.meta.url), 'utf8')

/** Ends the process with a message, without a stack trace. */
function exit(message: string, code = 1): never {
  process[code === 0 ? 'stdout' : 'stderr'].write(`${message}\n`)
  process.exit(code)
}

function readArguments(): { flags: { model: boolean }; name: string } {
  try {
    const { values, positionals } = parseArgs({
      options: { model: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    if (values.help) exit(USAGE, 0)
    const [name = 'compaction'] = positionals
    const names = ['compaction', 'plan', 'prune', 'branch', 'handoff', 'context']
    return names.includes(name) ? { flags: values, name } : exit(`There is no demo "${name}".\n\n${USAGE}`)
  } catch (error) {
    return exit(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

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

/** An error reply of the service. */
class DemoFailure extends Error {}

async function post(path: string): Promise<unknown> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const response = await fetch(url + path, { method: 'POST', headers, body: session })
  if (!response.ok) {
    const { title, detail } = (await response.json()) as ProblemBody
    throw new DemoFailure(`${path}: ${response.status} ${title}. ${detail}`)
  }
  return response.json()
}

const REGIONS = {
  covered: 'in the earlier summary',
  summarized: 'to summarize',
  'turn-prefix': 'to summarize (the beginning of the turn that the cut divides)',
  kept: 'stay',
  ignored: 'without a message (model changes, labels)',
} as const

function printPlan({ entries, ...plan }: PlanReply, contextWindow: number): void {
  const regions = Object.entries(REGIONS).flatMap(([region, text]) => {
    const size = entries.filter((entry) => entry.region === region).length
    return size === 0 ? [] : [`${size} ${text}`]
  })
  console.log(`Session    ${entries.length} entries, ${count(plan.contextTokens)} tokens in the context`)
  console.log(
    `Advice     ${plan.action}: ${REASONS[plan.reason]} (${count(plan.thresholdTokens ?? 0)} tokens, ` +
      `if the agent's model has a context window of ${count(contextWindow)})`,
  )
  console.log(`Plan       ${regions.join(', ')}`)
  console.log(
    `Cut        before entry ${plan.firstKeptEntryId ?? '-'}${plan.isSplitTurn ? ', in the middle of a turn' : ''}`,
  )
  console.log(`Previous   ${plan.hasPreviousSummary ? 'an earlier summary is brought up to date' : 'none'}`)
}

function printReply(reply: CompactionReply): void {
  const { shortSummary, tokensBefore = 0, tokensAfter = 0, tokensOutside = 0, report } = reply
  const tokensKept = report.keep?.kept ?? 0
  // The system prompt and the tools are outside the messages. They stay in the context.
  const before = tokensBefore - tokensOutside
  const savedPercent = Math.round((1 - tokensAfter / before) * 100)
  console.log(`In short   ${shortSummary}`)
  console.log(`Saved      ${count(before)} -> ${count(tokensAfter)} tokens (${savedPercent} % less)`)
  if (tokensKept > 0)
    console.log(
      `           ${count(before - tokensKept)} older tokens became a summary of ${count(tokensAfter - tokensKept)}; the newest ${count(tokensKept)} stay unchanged`,
    )
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
    const contextWindow = 50_000
    // As many tokens stay as in `precis compact`. The default would be half of the threshold of this small window.
    const query = `contextWindow=${contextWindow}&keepRecentTokens=20000`
    const plan = (await post(`/compaction/plan?${query}`)) as PlanReply
    const reply = (await post(`/compaction?${query}`)) as CompactionReply
    // First, since it is long: what was planned and what came of it are on one screen.
    console.log(`${reply.summary}\n`)
    printPlan(plan, contextWindow)
    printReply(reply)
  },
  async plan() {
    printPlan((await post('/compaction/plan?contextWindow=40000')) as PlanReply, 40_000)
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
  await shows[name]?.()
} catch (error) {
  if (!(error instanceof DemoFailure)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await app.close()
}
