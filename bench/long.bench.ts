import { describeMachine } from './support/describe-machine.ts'
import { foldInOrder } from './support/fold-in-order.ts'
import { generateLongSpan } from './support/generate-long-span.ts'
import { measureCalls, medianOf, type Measured } from './support/measure-calls.ts'
import { openTimedModel, type Speed, type TimedCall, type TimedModel } from './support/open-timed-model.ts'
import { printComparison } from './support/print-comparison.ts'
import { startService, type Answer } from './support/start-service.ts'

/**
 * Measures a span of 1,000,000 tokens with a context window of 200,000: the service summarizes parts in parallel, and
 * the comparison summarizes the same parts one after the other. The model server is simulated, the sockets are real.
 */
const WINDOW_TOKENS = 200_000
const SPAN_CHARACTERS = 4_000_000
const CONCURRENCY = 8
/** The output limit of a history at the default reserve: min(0.8 x 16,384, cap). */
const LIMIT_TOKENS = 13_107
const SPEED: Speed = { firstByteMs: 400, inTokensPerSecond: 20_000, outTokensPerSecond: 80, scale: 1 / 20, fill: 0.6 }
const RUNS = 3
const SEED = 4242

const model = await openTimedModel(SPEED)
await compare(model).finally(() => model.close())

async function compare(model: TimedModel): Promise<void> {
  console.log(`${describeMachine()}; seed ${SEED}`)
  const entries = generateLongSpan(SPAN_CHARACTERS, SEED)
  const runs: Measured[] = []
  for (let run = 0; run < RUNS; run++) {
    const { result, measured } = await measureCalls(model, () => compactOnce(model.url, entries))
    if (!result.ok) {
      console.log(`The service did not compact the span: ${result.problem}`)
      return
    }
    if (run === 0) console.log(`report of the service: ${JSON.stringify(result.body.report)}`)
    runs.push(measured)
  }
  const parts = partsOf(model.calls.slice(0, runs[0]?.calls))
  const fold = await measureCalls(model, () => foldInOrder(model.url, parts, LIMIT_TOKENS))
  printConditions(parts)
  printComparison(medianOf(runs), fold.measured)
}

/** Each run has its own service, so that no answer comes from the cache. */
async function compactOnce(modelUrl: string, entries: unknown): Promise<Answer> {
  const service = await startService({
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: 'none',
    PRECIS_CONTEXT_WINDOW: String(WINDOW_TOKENS),
    PRECIS_CONCURRENCY: String(CONCURRENCY),
  })
  const answer = service.post('/compaction', { entries, settings: { keepRecentTokens: 1 } })
  return answer.finally(() => service.close())
}

/**
 * Returns the transcripts of the calls that have one, in the order of the session; merges and repairs have no new
 * transcript.
 */
function partsOf(calls: readonly TimedCall[]): string[] {
  const parts = new Map<number, string>()
  for (const { prompt } of calls) {
    const conversation = prompt.slice(prompt.indexOf('\n') + 1, prompt.indexOf('\n</conversation>'))
    const step = /Step (\d+): /.exec(conversation)?.[1]
    if (step !== undefined) parts.set(Number(step), conversation)
  }
  return [...parts].sort(([one], [other]) => one - other).map(([, conversation]) => conversation)
}

function printConditions(parts: readonly string[]): void {
  const tokens = Math.round(parts.reduce((sum, part) => sum + part.length, 0) / 4)
  const { firstByteMs, inTokensPerSecond, outTokensPerSecond, fill, scale } = SPEED
  console.log(`\nA span of ${tokens} tokens in ${parts.length} windows of a model that takes ${WINDOW_TOKENS};`)
  console.log(`${firstByteMs} ms to the first byte, ${inTokensPerSecond} tokens/s in, ${outTokensPerSecond} out;`)
  console.log(`answers fill ${fill * 100} % of their limit, which is ${LIMIT_TOKENS} tokens in every call of the fold;`)
  console.log(`a simulated second takes ${scale} s (the service's own time counts as if it were simulated too);`)
  console.log(`at most ${CONCURRENCY} calls at once; the service's figures are the median of ${RUNS} runs, by time.\n`)
}
