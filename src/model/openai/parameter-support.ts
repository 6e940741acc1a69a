import { isContextOverflow } from '../../session/context-overflow.ts'
import { findNumber, NOTHING_SENT, type SentText } from './echo.ts'
import { LearnedFacts, type Learner } from './learned-facts.ts'
import { statusOf, errorTextOf } from './read-failure.ts'

/** The request parameters that a candidate's server supports, as far as is known. */
export interface ParameterSupport {
  /** OpenAI's newer models require `max_completion_tokens`; older servers know only `max_tokens`. */
  limitName: 'max_completion_tokens' | 'max_tokens'
  /** The effort to send; undefined when none is configured or the server supports none. */
  reasoningEffort: string | undefined
  /** The largest supported output limit, in tokens; undefined until the server has rejected one. */
  largestLimit?: number
}

/** The known support for the parameters of each model. It expires, and others probe it themselves (see `LearnedFacts`). */
export class LearnedSupport {
  readonly #effort: string | undefined
  readonly #limitNames: LearnedFacts<ParameterSupport['limitName']>
  readonly #largestLimits: LearnedFacts<number>
  readonly #withoutEffort: LearnedFacts<true>

  /** @param now the time in milliseconds */
  constructor(reasoningEffort: string | undefined, now: () => number) {
    this.#effort = reasoningEffort
    this.#limitNames = new LearnedFacts(now)
    this.#largestLimits = new LearnedFacts(now)
    this.#withoutEffort = new LearnedFacts(now)
  }

  /** Returns what a learner knows of a model; at first, that it supports what OpenAI's newest models do. */
  of(model: string, learner: Learner): ParameterSupport {
    const largestLimit = this.#largestLimits.get(model, learner)
    return {
      limitName: this.#limitNames.get(model, learner) ?? 'max_completion_tokens',
      reasoningEffort: this.#withoutEffort.get(model, learner) === true ? undefined : this.#effort,
      ...(largestLimit === undefined ? {} : { largestLimit }),
    }
  }

  learn(model: string, change: Partial<ParameterSupport>, learner: Learner): void {
    if (change.limitName !== undefined) this.#limitNames.learn(model, change.limitName, learner)
    if (change.largestLimit !== undefined) this.#largestLimits.learn(model, change.largestLimit, learner)
    if ('reasoningEffort' in change) this.#withoutEffort.learn(model, true, learner)
  }
}

/** The statuses of a rejected parameter: bad request, and FastAPI's "unprocessable" (Mistral, vLLM). */
const REJECTED = new Set([400, 422])

/**
 * OpenAI and most others name the parameter, xAI as "parameter reasoningEffort"; Ollama says that the model "does not
 * support thinking".
 */
const REASONING_EFFORT = /reasoning[\s_.-]?effort|does not support (?:thinking|reasoning)/i

/**
 * How servers report the largest limit that they support. OpenAI: "max_tokens is too large: 32768. This model supports
 * at most 16384 completion tokens"; Groq: "`max_completion_tokens` must be less than or equal to `8192`"; DeepSeek:
 * "the valid range of max_tokens is [1, 8192]"; DashScope: "Range of max_tokens should be [1, 8192]"; Anthropic:
 * "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens".
 */
const LARGEST_LIMIT = [
  /supports at most (\d{3,9}) completion tokens/i,
  /max_(?:completion_)?tokens.{0,9} (?:must be less than or equal to `?|is \[1, ?|should be \[1, ?)(\d{3,9})/i,
  /max_tokens: \d{1,9} > (\d{3,9}),/i,
]

/**
 * Detects in a rejection which parameter the server does not support: its text names it, whatever the wording.
 * @param assumed the support that the rejected request assumed
 * @param sent what the request contained: the server may repeat it
 * @returns the change, at most once for each parameter; undefined when the rejection has another reason
 */
export function detectUnsupported(
  error: unknown,
  assumed: ParameterSupport,
  sent: SentText = NOTHING_SENT,
): Partial<ParameterSupport> | undefined {
  const errorText = errorTextOf(error, sent)
  // When the prompt leaves no room for the limit, the prompt is too long, although some servers blame the limit (vLLM).
  if (!REJECTED.has(statusOf(error) ?? 0) || isContextOverflow(errorText)) return undefined
  if (assumed.reasoningEffort !== undefined && REASONING_EFFORT.test(errorText)) return { reasoningEffort: undefined }
  const largestLimit = findNumber(LARGEST_LIMIT, errorText, sent)
  if (largestLimit !== undefined) return assumed.largestLimit === undefined ? { largestLimit } : undefined
  const isNameRejected = assumed.limitName === 'max_completion_tokens' && errorText.includes('max_completion_tokens')
  return isNameRejected ? { limitName: 'max_tokens' } : undefined
}
