import { Problem } from '../../errors.ts'
import type { SummaryCall } from '../../jobs/background.ts'
import { withStep } from '../../jobs/job-runner.ts'
import type { Reply } from '../../jobs/protocol.ts'
import type { Services } from '../../jobs/services.ts'
import { notifyHooks, startWithHooks } from '../../jobs/start-with-hooks.ts'
import type { Prompts } from '../../prompt/load-prompts.ts'
import type { Settings } from '../../settings.ts'
import type { UseCaseHandler } from '../use-case.ts'
import { chooseKnownCut, sizeOf, type CutChoice, type SummarizedPoint } from './choose-known-cut.ts'
import {
  PREPARE_SHARE,
  readCut,
  type CompressOutcome,
  type CompressStep,
  type CutPoint,
  type CutSurvey,
  type SurveyOutcome,
} from './steps.ts'
import { writeCutReply } from './write-reply.ts'

type CompressServices = Pick<Services, 'jobs' | 'hooks' | 'background'> & {
  settings: Pick<Settings, 'compress'>
  prompts: Pick<Prompts, 'replaced'>
}

/** A request for `/v1/compress`. */
interface CompressCall extends Pick<SummaryCall, 'received'> {
  budget: SummaryCall['budget'] & { signal: AbortSignal }
  /** The messages are returned unchanged. */
  isBypassed: boolean
}

/** The reply, and what it was made of. */
interface CompressAnswer {
  /** A `CompressReply` as JSON. */
  reply: Buffer
  outcome: CompressOutcome
  result: 'unchanged' | 'bypassed' | 'shortened' | 'stored' | 'embedded'
}

/** Replaces the beginnings of long conversations by summaries, which are prepared in the background. */
export class Compressor {
  readonly #services: CompressServices

  constructor(services: CompressServices) {
    this.#services = services
  }

  /** Returns the reply to a request: within its limit, unless it is bypassed. @throws Problem; the reason of the signal */
  async compress(call: CompressCall): Promise<CompressAnswer> {
    const { settings, prompts, hooks } = this.#services
    const { limitTokens } = settings.compress
    const rules = rulesOf(prompts.replaced?.digest, hooks?.digest)
    const { store } = this.#services.background
    const { isBypassed } = call
    const { tokenDigest } = call.budget
    const { body, outcome } = await this.#run(call, { kind: 'survey', limitTokens, tokenDigest, rules, isBypassed })
    const { survey, ...facts } = outcome as SurveyOutcome
    const { wholeBytes, wholeTokens } = survey
    const whole = { reply: body.subarray(0, wholeBytes), outcome: facts }
    if (isBypassed) return { ...whole, result: 'bypassed' }
    const wholeResult = wholeTokens < facts.tokensBefore ? 'shortened' : 'unchanged'
    if (wholeTokens < PREPARE_SHARE * survey.limitTokens) return { ...whole, result: wholeResult }
    const choice = await this.#choose(call, survey)
    const { kind } = choice
    const chosen = kind === 'none' ? await this.#embed(call, survey, choice) : choice.chosen
    const written = chosen === undefined ? whole : writeCutReply({ body, survey, ...facts }, chosen)
    if (chosen !== undefined) store.put(chosen.point.key, { ...chosen.cut, state: 'active' })
    // At last, so that its jobs do not delay those of the request.
    if (kind !== 'none') this.#prepare(call, choice)
    return { ...written, result: kind === 'none' ? 'embedded' : kind === 'cut' ? 'stored' : wholeResult }
  }

  async #choose(call: CompressCall, survey: CutSurvey): Promise<CutChoice> {
    const { waitMs } = this.#services.settings.compress
    const { background } = this.#services
    const { store } = background
    const choose = (): CutChoice => chooseKnownCut(survey, (key) => store.get(key))
    const first = choose()
    // Another replica has nothing that would change this.
    if (first.next === undefined && (first.kind === 'whole' || first.chosen?.cut.state === 'active')) return first
    const keys = survey.points.map(({ key }) => key)
    await store.fetch(keys)
    const choice = choose()
    if (choice.kind !== 'none' || waitMs === 0) return choice
    this.#prepare(call, choice)
    const endsAt = performance.now() + waitMs
    const isAwaited = (): boolean => choose().kind === 'none' && background.isWriting(keys)
    for (let left = waitMs; left > 0 && isAwaited(); left = endsAt - performance.now())
      await background.whenEnded(keys, { signal: call.budget.signal, ms: left })
    return choose()
  }

  /** Writes a summary without a model, at once. */
  async #embed(call: CompressCall, { limitTokens, planned }: CutSurvey, { base }: CutChoice): Promise<SummarizedPoint> {
    if (planned === undefined) throw tooLarge(limitTokens)
    const { received } = call
    const embedded = { ...received, context: { ...received.context, windowLimitTokens: undefined } }
    const step = await this.#run({ ...call, received: embedded }, this.#summarizeStep(planned, base))
    const chosen = { point: planned, cut: readCut(step) }
    if (sizeOf(chosen) > limitTokens) throw tooLarge(limitTokens)
    return chosen
  }

  /** Starts a summary if one is due and none is being written. Does not wait for it. */
  #prepare({ received, budget }: CompressCall, { next, base }: CutChoice): void {
    if (next === undefined) return
    const step = this.#summarizeStep(next, base)
    this.#services.background.start({ key: next.key, received: withStep(received, step), budget, read: readCut })
  }

  #summarizeStep({ at }: CutPoint, base: SummarizedPoint | undefined): CompressStep {
    const from = base && { at: base.point.at, summary: base.cut.summary }
    return { kind: 'summarize', limitTokens: this.#services.settings.compress.limitTokens, at, from }
  }

  async #run({ received, budget: { signal, caller } }: CompressCall, compress: CompressStep): Promise<Reply> {
    const { hooks } = this.#services
    const request = withStep(received, compress)
    const { step } = await startWithHooks(request, this.#services, { signal, caller })
    if (step.kind !== 'reply') throw new Error('This job needs no model.')
    notifyHooks(step, request, { hooks, caller })
    return step
  }
}

/** Returns what decides about summaries, as hashes; empty with the prompts of the package and without hooks. */
const rulesOf = (...digests: (string | undefined)[]): string =>
  digests.map((digest) => (digest === undefined ? '' : ` ${digest}`)).join('')

const tooLarge = (limitTokens: number): Problem =>
  new Problem(
    'prompt-too-large',
    `The instructions, and what cannot be shortened in the newest messages, leave no room for a summary within ${limitTokens} tokens. ` +
      'Raise `token_budget` or PRECIS_COMPRESS_TOKENS, or send shorter instructions.',
  )

/** Starts what answers `POST /v1/compress`: a compressor, which prepares summaries for later requests. */
export function openCompressor(services: Services): UseCaseHandler {
  const compressor = new Compressor(services)
  return {
    async answer({ received, budget, headers }) {
      const isBypassed = String(headers['x-headroom-bypass']).trim().toLowerCase() === 'true'
      const { reply, outcome, result } = await compressor.compress({ received, budget, isBypassed })
      const { tokensBefore, tokensAfter } = outcome
      services.metrics.compressed.inc({ result })
      return { body: reply, facts: { compressed: result, tokensBefore, tokensAfter } }
    },
  }
}
