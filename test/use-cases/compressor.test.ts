import t from 'tap'
import { createAdmission } from '../../src/http/admission.ts'
import { Compressor } from '../../src/use-cases/compress/compressor.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { BackgroundSummaries } from '../../src/jobs/background-summaries.ts'
import type { StoredSummary } from '../../src/model/sharing/stored-summary.ts'
import { SummaryStore } from '../../src/model/sharing/summary-store.ts'
import { openController } from '../../src/runtime/abort.ts'
import { compress } from '../../src/use-cases/compress/route.ts'
import type { CompressStep } from '../../src/use-cases/compress/steps.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { conversation, summaryIn } from '../support/gateway.ts'
import { receivedHead } from '../support/received-head.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const CONTEXT = {
  ...WORK_CONTEXT,
  ...{ maxSummaryTokens: 4000, windowLimitTokens: 128_000, transcriptTokens: 100_000 },
}

/** A request for a conversation above the limit, that may wait for ten minutes. */
function openCompressor(jobs = new JobRunner()) {
  const store = new SummaryStore({ onError: () => undefined, onUnreadable: () => undefined, restMs: 600_000 })
  const services = {
    ...{ jobs, summarizer: fakeSummarizer(), prompts: {} },
    // No summary has room.
    settings: { deadlineMs: 600_000, bodyLimitBytes: 0, compress: { limitTokens: 2000, waitMs: 600_000 } },
    admission: createAdmission({ concurrency: 1, queue: 1, onRefused: () => undefined }),
  }
  const background = new BackgroundSummaries(services, { store, onPrepared: () => undefined })
  const compressor = new Compressor({ ...services, background })
  const chunks = [Buffer.from(JSON.stringify({ messages: conversation(12) }))]
  const ask = () =>
    compressor.compress({
      received: { head: receivedHead(compress), chunks, context: CONTEXT, load: compress.load },
      budget: { signal: openController().signal, caller: 'o', tokenDigest: 'c' },
      isBypassed: false,
    })
  return { store, ask }
}

t.test('a request does not wait for a summary that cannot start', async (t) => {
  const { ask } = openCompressor()
  const { reply, result } = await ask()
  t.equal(result, 'embedded')
  t.match(summaryIn((JSON.parse(reply.toString()) as { messages: unknown[] }).messages), /## Goal/)
})

t.test('a summary that could not be written does not count as returned', async (t) => {
  const jobs = new JobRunner()
  const start = jobs.start.bind(jobs)
  jobs.start = async (request, turn) => {
    if ((request.head.modes as CompressStep).kind === 'summarize') throw new Error('broken')
    return start(request, turn)
  }
  const { store, ask } = openCompressor(jobs)
  const put: StoredSummary[] = []
  store.put = (_key, cut) => {
    put.push(cut)
  }
  await t.rejects(ask(), { message: 'broken' })
  t.same(put, [])
})
