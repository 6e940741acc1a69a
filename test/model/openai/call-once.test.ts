import { splitHere } from '../../../src/prompt/split-conversation.ts'
import { UNOBSERVED } from '../../../src/model/observer.ts'
import t from 'tap'
import { ServerState, type CallContext } from '../../../src/model/openai/call-context.ts'
import { callOnce } from '../../../src/model/openai/call-once.ts'
import { LearnedWindows } from '../../../src/model/openai/learned-facts.ts'
import { LearnedSupport } from '../../../src/model/openai/parameter-support.ts'
import { startTimer } from '../../../src/runtime/abort.ts'
import { emptyTally } from '../../../src/model/summarizer.ts'
import { openBudget, TASK } from '../../support/start-summarizer.ts'

/** Returns a context whose client never replies, and rejects with an error of its own when aborted, as the SDK does. */
function stalledContext(): CallContext & { controller: AbortController } {
  const create = (_body: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('Request was aborted.'))
      })
    })
  const { controller, ...budget } = openBudget()
  return {
    endpointOf: () => ({ host: '127.0.0.1', complete: create }),
    maxSummaryTokens: 1000,
    brevityDemand: '',
    observer: UNOBSERVED,
    support: new LearnedSupport(undefined, Date.now),
    server: new ServerState(Date.now),
    windows: new LearnedWindows(Date.now),
    split: splitHere,
    partsAtOnce: 1,
    limit: (call) => call(),
    singleFlight: ({ run }, budget) => run(budget),
    cacheNamespace: '',
    redact: (text) => ({ text, redactions: 0 }),
    wait: () => Promise.resolve(),
    startTimer,
    random: () => 0,
    now: Date.now,
    budget: { ...budget, tally: emptyTally() },
    failed: new AbortController(),
    controller,
  }
}

t.test("when the budget ends, the call throws the budget's reason, not the SDK's error", async (t) => {
  const { controller, ...context } = stalledContext()
  const reason = new Error('gone')
  const calling = callOnce({ model: 'first', task: TASK, changes: new Set(), timeoutMs: 60_000 }, context)
  controller.abort(reason)
  await t.rejects(calling, reason)
  t.equal(context.budget.tally.calls, 1)
})

t.test('a time-out above the maximum of a timer does not end the call at once', async (t) => {
  const warnings: string[] = []
  const note = ({ name }: Error): void => {
    if (name === 'TimeoutOverflowWarning') warnings.push(name)
  }
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const { controller, ...context } = stalledContext()
  const calling = callOnce({ model: 'first', task: TASK, changes: new Set(), timeoutMs: 2 ** 40 }, context)
  // Node's own timers warn of a time that they cannot hold, and fire at once.
  await new Promise((resolve) => setTimeout(resolve, 2))
  t.same(warnings, [])
  controller.abort(new Error('gone'))
  await t.rejects(calling, { message: 'gone' })
})
