import type { OpenAI } from 'openai'

export type CompletionRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

interface SendOptions {
  /** The calls of the request, with this one. */
  calls: number
  signal: AbortSignal
  headers: Readonly<Record<string, string>>
}

/** Who answers the calls for a candidate. */
export interface Endpoint {
  /** Its name or address, with the port if the URL has one. */
  host: string
  /** Whether it does not keep to the limit of output. */
  ignoresLimit?: true
  /** Returns a chat completion, of any shape. Rejects with what `readFailure` reads. */
  complete: (request: CompletionRequest, options: SendOptions) => Promise<unknown>
}
