import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { templates } from '../support/templates.ts'
import { fuzz, type FuzzOptions, type FuzzReport } from './fuzz-loop.ts'
import { makeCase, type FuzzCase } from './make-cases.ts'
import { watchLog, type WatchedLog } from './watch-log.ts'

/** Statuses that a broken request may have. */
const ALLOWED = new Set([200, 400, 404, 405, 408, 413, 415, 422])

/** Sends broken requests to all routes, with the embedded summarizer and with a model that answers at once. */
export async function runCases(options: FuzzOptions): Promise<FuzzReport> {
  const log = watchLog()
  const [embedded, model] = [await openApp('embedded', log), await openApp('model', log)]
  const report = await fuzz('requests', options, async (random, number) => {
    const one = makeCase(random)
    const app = number % 2 === 0 ? embedded : model
    const { url, headers, body } = one
    const response = await app.inject({ method: 'POST', url, headers, payload: body })
    const fault = findFault(one, response.statusCode, response.body)
    const faults = [...(fault === undefined ? [] : [`${url} ${fault}`]), ...log.takeFaults([body.toString()])]
    return { statuses: [response.statusCode], faults }
  })
  await Promise.all([embedded.close(), model.close()])
  return report
}

async function openApp(kind: 'embedded' | 'model', { logTo }: WatchedLog) {
  // Small enough that some bodies are too large, and that an answer is not kept for the next case.
  const config = { ...readSettings({ PRECIS_BODY_LIMIT: '200000' }), logLevel: 'trace' }
  const summarizer = kind === 'embedded' ? await createSummarizer(config, templates) : forgetting()
  return buildApp({
    settings: { ...config, maxSummaryTokens: 2000 },
    prompts: { templates },
    summarizer,
    maxEventLoopDelayMs: Infinity,
    logTo,
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
