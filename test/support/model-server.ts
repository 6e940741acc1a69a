import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A chat completion's parts that a test cares for; `text` is short for an ordinary answer. */
export interface Reply {
  text?: string | null
  finishReason?: string | null
  message?: Record<string, unknown>
  usage?: Record<string, unknown> | null
  /** With a status or a raw body, this goes out in place of a completion. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delayMs?: number
  /** Closes the socket before the head, or after half of the body. */
  drop?: 'before' | 'in-body'
  /** Never answers, or stops in the middle of the body. */
  hang?: 'before' | 'in-body'
}

export interface RecordedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  /** True once the caller has closed the connection before it had its answer. */
  aborted: boolean
}

export type Script = readonly (Reply | string)[] | ((request: RecordedRequest, index: number) => Reply | string)

export interface ModelServer {
  url: string
  requests: RecordedRequest[]
  /** The most requests that were under way at once. */
  maxConcurrent: () => number
}

/** Starts a model server on loopback that answers by a script, the last reply again and again; it ends with the test. */
export async function startModelServer(t: Test, script: Script): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  let underWay = 0
  let maxConcurrent = 0
  const server = createServer((request, response) => {
    maxConcurrent = Math.max(maxConcurrent, ++underWay)
    response.on('close', () => underWay--)
    void record(request, response).then((recorded) => {
      const index = requests.push(recorded) - 1
      const reply =
        typeof script === 'function' ? script(recorded, index) : (script[Math.min(index, script.length - 1)] ?? '')
      answer(response, typeof reply === 'string' ? { text: reply } : reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, maxConcurrent: () => maxConcurrent }
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const recorded: RecordedRequest = {
    path: request.url ?? '',
    headers: request.headers,
    body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    aborted: false,
  }
  response.on('close', () => {
    recorded.aborted = !response.writableFinished
  })
  return recorded
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply.hang === 'before') return
  if (reply.drop === 'before') {
    response.destroy()
    return
  }
  setTimeout(() => {
    const body = bodyOf(reply)
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    if (reply.hang === undefined && reply.drop === undefined) response.end(body)
    else response.write(body.slice(0, body.length / 2), () => reply.drop && response.destroy())
  }, reply.delayMs ?? 0)
}

function bodyOf(reply: Reply): string {
  if (reply.body !== undefined) return typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  if (reply.status !== undefined) return JSON.stringify({ error: { message: 'upstream secret text', type: 'x' } })
  return JSON.stringify(completion(reply))
}

/** An OpenAI chat completion. */
export function completion({ text = 'ok', finishReason = 'stop', message, usage }: Reply): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'model',
    choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content: text, ...message } }],
    ...(usage === null ? {} : { usage: usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
  }
}
