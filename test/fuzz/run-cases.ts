import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRandom } from '../../bench/support/create-random.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { templates } from '../support/templates.ts'
import { makeCase, type FuzzCase } from './make-cases.ts'

export interface FuzzReport {
  /** How many replies had which status. */
  statuses: Record<number, number>
  /** What is wrong, each with the number of its case. */
  failures: string[]
  longestStallMs: number
  /** The heap after the first tenth and at the end, collected where `--expose-gc` is set. */
  heapBytes: { early: number; late: number }
}

interface FuzzOptions {
  cases: number
  seed: number
  /** Told every thousand cases. */
  onProgress?: (done: number) => void
}

/** Statuses that a broken request may have. */
const ALLOWED = new Set([200, 400, 404, 408, 413, 415, 422])

/** Sends broken requests to all routes, with the embedded summarizer and with a model that answers at once. */
export async function runCases({ cases, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const apps = [await openApp('embedded'), await openApp('model')]
  const random = createRandom(seed)
  const report: FuzzReport = { statuses: {}, failures: [], longestStallMs: 0, heapBytes: { early: 0, late: 0 } }
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  for (let number = 0; number < cases; number++) {
    const one = makeCase(random)
    const app = apps[number % apps.length]!
    const { url, headers, body } = one
    const response = await app.inject({ method: 'POST', url, headers, payload: body })
    const { statusCode } = response
    report.statuses[statusCode] = (report.statuses[statusCode] ?? 0) + 1
    const fault = findFault(one, statusCode, response.body)
    if (fault !== undefined) report.failures.push(`case ${number} of seed ${seed}: ${url} ${fault}`)
    if (number === Math.floor(cases / 10)) report.heapBytes.early = heapBytes()
    if (number % 1000 === 999) onProgress?.(number + 1)
    // Injected requests never wait for anything: without a turn the delay could not be seen.
    if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  delay.disable()
  report.longestStallMs = delay.max / 1e6
  report.heapBytes.late = heapBytes()
  await Promise.all(apps.map((app) => app.close()))
  return report
}

async function openApp(kind: 'embedded' | 'model') {
  // Small enough that some bodies are too large, and that an answer is not kept for the next case.
  const config = { ...readConfig({ PRECIS_BODY_LIMIT: '200000' }), logLevel: 'silent' }
  const summarizer = kind === 'embedded' ? await createSummarizer(config, templates) : forgetting()
  return buildApp({
    config,
    templates,
    summarizer,
    maxSummaryTokens: 2000,
    redact: true,
    maxEventLoopDelayMs: Infinity,
  })
}

/** Answers with headings and words of the prompt, and keeps nothing of what it was asked. */
function forgetting() {
  const summarizer = fakeSummarizer(({ prompt }) => `## Goal\n${prompt.slice(-300)}\n\n## Progress\nsrc/invented.ts`)
  return {
    ...summarizer,
    summarize: (...args: Parameters<typeof summarizer.summarize>) => {
      summarizer.tasks.length = 0
      summarizer.budgets.length = 0
      return summarizer.summarize(...args)
    },
  }
}

function findFault({ url }: FuzzCase, status: number, body: string): string | undefined {
  if (!ALLOWED.has(status)) return `answered ${status}: ${body.slice(0, 200)}`
  if (status === 200 && /"stream":true|^data: /.test(body)) return undefined
  try {
    const reply = JSON.parse(body) as Record<string, unknown>
    if (status !== 200) return typeof reply['type'] === 'string' ? undefined : `answered ${status} without a problem`
    if (url.startsWith('/compaction') && 'summary' in reply && String(reply['summary']).trim() === '')
      return 'answered a blank summary'
    return undefined
  } catch {
    return `answered ${status} with no JSON: ${body.slice(0, 100)}`
  }
}

function heapBytes(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed
}
