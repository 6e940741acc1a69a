import { isContextOverflow } from '../../session/context-overflow.ts'
import { statusOf, wordsOf } from './read-failure.ts'

/** What a candidate's server takes, as far as it has told. */
export interface ParameterSupport {
  /** `max_completion_tokens` is what OpenAI's newer models demand; older servers know `max_tokens` alone. */
  limitName: 'max_completion_tokens' | 'max_tokens'
  /** The effort to ask for; undefined where none is configured, or the server takes none. */
  reasoningEffort: string | undefined
  /** The largest output limit that it takes, in tokens; undefined while it has refused none. */
  largestLimit?: number
}

/** What every candidate is asked with at first. */
export const initialSupport = (reasoningEffort: string | undefined): ParameterSupport => ({
  limitName: 'max_completion_tokens',
  reasoningEffort,
})

/** Bad request, and FastAPI's "unprocessable" (Mistral, vLLM). */
const REFUSED = new Set([400, 422])

/**
 * OpenAI and most others name the parameter, xAI as "parameter reasoningEffort"; Ollama says that the model "does not
 * support thinking".
 */
const REASONING_EFFORT = /reasoning[\s_.-]?effort|does not support (?:thinking|reasoning)/i

/**
 * How servers name the largest limit that they take. OpenAI: "max_tokens is too large: 32768. This model supports at
 * most 16384 completion tokens"; Groq: "`max_completion_tokens` must be less than or equal to `8192`"; DeepSeek: "the
 * valid range of max_tokens is [1, 8192]"; DashScope: "Range of max_tokens should be [1, 8192]"; Anthropic:
 * "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens".
 */
const LARGEST_LIMIT = [
  /supports at most (\d{3,9}) completion tokens/i,
  /max_(?:completion_)?tokens.{0,9} (?:must be less than or equal to `?|is \[1, ?|should be \[1, ?)(\d{3,9})/i,
  /max_tokens: \d{1,9} > (\d{3,9}),/i,
]

/**
 * Learns from a server's refusal which of our parameters it does not take; it names them, whatever its wording.
 * @param support what the refused request was made with
 * @returns what is to be changed, once for each part of a support; undefined where the refusal is about something else
 */
export function detectUnsupported(error: unknown, support: ParameterSupport): Partial<ParameterSupport> | undefined {
  const words = wordsOf(error)
  // A prompt that leaves no room for the limit is too long, although some servers blame the limit (vLLM).
  if (!REFUSED.has(statusOf(error) ?? 0) || isContextOverflow(words)) return undefined
  if (support.reasoningEffort !== undefined && REASONING_EFFORT.test(words)) return { reasoningEffort: undefined }
  const largestLimit = LARGEST_LIMIT.map((pattern) => pattern.exec(words)?.[1]).find((digits) => digits !== undefined)
  if (largestLimit !== undefined)
    return support.largestLimit === undefined ? { largestLimit: Number(largestLimit) } : undefined
  const isLimitRefused = support.limitName === 'max_completion_tokens' && words.includes('max_completion_tokens')
  return isLimitRefused ? { limitName: 'max_tokens' } : undefined
}
