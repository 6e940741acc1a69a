import { APIError, OpenAI } from 'openai'
import { createPooledFetch } from '../src/model/openai/client.ts'
import { checkCompletion } from '../src/model/openai/read-completion.ts'

/** Sends a prompt to the model that reads and judges, and returns its reply. */
export type Ask = (prompt: string) => Promise<string>

export interface AskOptions {
  baseUrl: string
  model: string
}

/** A call may take as long as a person needs for a reply. */
const NEVER_MS = 2_147_483_647
const MAX_RETRIES = 4

/**
 * Returns a function that sends one prompt, and a system prompt if there is one, to a chat-completions server, and returns the
 * text of its reply. The SDK repeats calls that failed for a passing reason.
 */
export function createAsk({ baseUrl, model }: AskOptions): (prompt: string, system?: string) => Promise<string> {
  const client = new OpenAI({
    // A relay on this machine, which adds the key.
    apiKey: 'none',
    organization: null,
    project: null,
    baseURL: baseUrl,
    maxRetries: MAX_RETRIES,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: createPooledFetch(),
  })
  return async (prompt, system) => {
    const instructions = system === undefined ? [] : [{ role: 'system' as const, content: system }]
    const messages = [...instructions, { role: 'user' as const, content: prompt }]
    const call = client.chat.completions.create({ model, messages })
    const completion = checkCompletion(await call.catch(explain))
    if (completion.outcome === 'ok') return completion.text
    throw new Error(`The model ${model} gave no usable reply (${completion.outcome}).`)
  }
}

/** The SDK's own message may repeat the prompt. @throws Error without it */
function explain(cause: unknown): never {
  const status = cause instanceof APIError ? (cause.status as unknown) : undefined
  const what = typeof status === 'number' ? `replied with status ${status}` : 'could not be reached'
  throw new Error(`The model server ${what}. Check the URL, the name of the model and OPENAI_API_KEY.`, { cause })
}
