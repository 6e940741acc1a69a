import t from 'tap'
import { createAdmission } from '../../src/http/admission.ts'
import { BackgroundSummaries } from '../../src/jobs/background-summaries.ts'
import { JobRunner, type ReceivedRequest } from '../../src/jobs/job-runner.ts'
import type { Calls, Reply } from '../../src/jobs/protocol.ts'
import { SummaryStore } from '../../src/model/sharing/summary-store.ts'
import type { Ticket } from '../../src/runtime/fair-limit.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { rejectOnAbort, until } from '../support/until.ts'

/** Jobs that end when their signals abort. */
class EndlessJobs extends JobRunner {
  override start(_request: ReceivedRequest, { signal }: Ticket): Promise<Calls | Reply> {
    return rejectOnAbort(signal)
  }
}

/** Summaries that never end, with room for 100 bytes; and how others have ended. */
function open() {
  const ended: string[] = []
  const store = new SummaryStore({ onError: () => undefined, onUnreadable: () => undefined, restMs: 600_000 })
  const services = {
    ...{ jobs: new EndlessJobs(), summarizer: fakeSummarizer() },
    settings: { deadlineMs: 600_000, bodyLimitBytes: 100 },
    admission: createAdmission({ concurrency: 10, queue: 0 }),
  }
  const summaries = new BackgroundSummaries(services, {
    store,
    onPrepared: ({ outcome, problem }) => ended.push(`${outcome} ${problem ?? ''}`.trim()),
  })
  const start = (key: string, bytes: number): void => {
    const caller = key.slice(0, 1)
    const received = { head: {}, chunks: [Buffer.alloc(bytes)], context: {} } as unknown as ReceivedRequest
    const read = () => ({ state: 'ready' as const, drafts: '{}' })
    summaries.start({ key, received, read, budget: { caller, tokenDigest: caller } })
  }
  return {
    summaries,
    store,
    start,
    ended,
    running: (...keys: string[]) => keys.map((key) => summaries.isWriting([key])),
  }
}

t.test('a caller that is alone has all the memory, and its further summaries are refused', async (t) => {
  const { summaries, start, ended, running } = open()
  for (const key of ['a1', 'a2', 'a3']) start(key, 50)
  t.same(running('a1', 'a2', 'a3'), [true, true, false])
  t.same(ended, ['refused'])
  await summaries.stop()
  t.same(ended, ['refused', 'cancelled draining', 'cancelled draining'])
})

t.test(
  'a caller with more memory than another one loses its newest summary to it, and may begin it again',
  async (t) => {
    const { summaries, store, start, ended, running } = open()
    for (const key of ['a1', 'a2', 'a3', 'a4']) start(key, 25)
    await until(() => store.get('a4')?.state === 'queued')
    start('b1', 40)
    await until(() => ended.length === 2)
    t.same(running('a1', 'a2', 'a3', 'a4', 'b1'), [true, true, false, false, true])
    t.same(ended, ['refused overloaded', 'refused overloaded'])
    t.equal(store.get('a4'), undefined, 'another replica, or a later request, may write it')
    start('b2', 25)
    t.same(running('a1', 'a2', 'b1', 'b2'), [true, true, true, false], 'it would have more than the other')
    await summaries.stop()
  },
)
