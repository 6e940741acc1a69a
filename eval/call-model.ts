import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { createPooledFetch } from '../src/model/openai/client.ts'
import { estimateTextTokens } from '../src/tokens/estimate-tokens.ts'
import type { CallLog } from './call-log.ts'

/** A chat-completions request, without streaming. */
export interface ModelRequest {
  model: string
  messages: readonly { role: string; content: unknown }[]
  [parameter: string]: unknown
}

/** The reply of a model server. */
export interface ChatReply {
  status: number
  /** JSON. */
  body: string
}

/** Makes one model call. `key` identifies it, also in a run that is resumed. */
export type CallModel = (request: ModelRequest, key: string, signal: AbortSignal) => Promise<ChatReply>

/** Returns the function that calls a model server. */
export function callByHttp(baseUrl: string, apiKey: string | undefined): CallModel {
  const send = createPooledFetch()
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  return async (request, _key, signal) => {
    const headers = { 'content-type': 'application/json', ...key }
    const response = await send(url, { method: 'POST', headers, body: JSON.stringify(request), signal })
    return { status: response.status, body: await response.text() }
  }
}

export interface ByHandOptions {
  folder: string
  log: CallLog
  /** Prints what is being waited for. */
  print: (line: string) => void
  /** How often a reply file is looked for. */
  pollMs: number
}

/**
 * Returns the function that lets a person answer: it writes `N.prompt.txt`, and waits until `N.reply.txt` exists. A
 * reply counts once it is not blank and was the same at two looks in succession: an editor may still be writing it.
 */
export function callByHand({ folder, log, print, pollMs }: ByHandOptions): CallModel {
  return async (request, key, signal) => {
    const number = log.numberOf(key)
    const prompt = writePrompt(request)
    const promptFile = join(folder, `${number}.prompt.txt`)
    const replyFile = join(folder, `${number}.reply.txt`)
    // The prompt of a file that exists already may be open in an editor.
    if (!existsSync(promptFile)) writeFileSync(promptFile, `${prompt}\n`)
    let text = readReply(replyFile)
    if (text === '') print(`Waiting for ${replyFile}, the reply to ${promptFile}`)
    for (let before = text === '' ? undefined : text; text === '' || text !== before; text = readReply(replyFile)) {
      before = text
      await wait(pollMs, undefined, { signal })
    }
    return { status: 200, body: JSON.stringify(completionOf(text, prompt)) }
  }
}

const readReply = (path: string): string =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, '')
        .trim()
    : ''

/** Returns the messages of a request as the text that a person sees, or gives to a model by hand. */
function writePrompt({ messages }: ModelRequest): string {
  const texts = messages.map(({ role, content }) => {
    const text = textOfContent(content)
    return role === 'assistant' ? `=== Your earlier reply ===\n\n${text}\n\n=== End of your earlier reply ===` : text
  })
  return texts.join('\n\n')
}

const textOfContent = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n')
      : ''

/** The reply of a person as a model server would send it. The counts of tokens are estimates. */
const completionOf = (text: string, prompt: string) => ({
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
  usage: { prompt_tokens: estimateTextTokens(prompt), completion_tokens: estimateTextTokens(text) },
})
