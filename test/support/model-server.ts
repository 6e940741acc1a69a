import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { noteAuthorization, noteContent } from './ledger.ts'

/** One answer. Without `status` and `body` it is a chat completion of its first four fields, "ok" by default. */
export interface Reply {
  text?: string | null
  finishReason?: string | null
  /** More fields of the message, or other ones. */
  message?: Record<string, unknown>
  /** Null for none. */
  usage?: Record<string, unknown> | null
  /** 200 by default. With an error's status and no body the body is an error that says "upstream secret text". */
  status?: number
  /** The reason phrase. */
  reason?: string
  headers?: Record<string, string>
  /** Sent as it is where it is a string or bytes, else as JSON. */
  body?: unknown
  delayMs?: number
  /** Answers only then. */
  after?: Promise<unknown>
  /** Ends the connection before the head, or after half of the body. */
  drop?: 'before' | 'in-body'
  /** Never answers, or stops after half of the body. */
  hang?: 'before' | 'in-body'
  /** Called once it hangs. */
  onHang?: () => unknown
}

export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The body as JSON. */
  body: Record<string, unknown>
  /** When it had come whole, in milliseconds of `performance.now()`. */
  startedAtMs: number
  /** When it was answered or its connection was closed. */
  endedAtMs?: number
  /** True once the caller has closed the connection before it had its answer. */
  aborted: boolean
  /** Resolves when it was answered or its connection was closed. */
  ended: Promise<void>
}

/**
 * What to answer: a reply for each request, the last one again and again, or a function of the request. A string is a
 * completion's text.
 */
export type Script = readonly (Reply | string)[] | ((request: RecordedRequest, index: number) => Reply | string)

export interface ModelServer {
  /** The base URL for an OpenAI client, without a slash at its end. */
  url: string
  /** In the order in which they came. */
  requests: RecordedRequest[]
  /** The most requests that were under way at once. */
  maxConcurrent: () => number
  /** Ends all connections, answered or not. */
  close: () => Promise<void>
}

/** Starts a model server on 127.0.0.1 that answers by a script; it ends with the test. */
export async function startModelServer(t: Test, script: Script): Promise<ModelServer> {
  const server = await openModelServer(script)
  t.teardown(() => server.close())
  return server
}

/** The same outside of a test: the caller closes it. */
export async function openModelServer(script: Script): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  let underWay = 0
  let maxConcurrent = 0
  const server = createServer((request, response) => {
    maxConcurrent = Math.max(maxConcurrent, ++underWay)
    response.once('close', () => underWay--)
    void record(request, response).then((recorded) => {
      const index = requests.push(recorded) - 1
      answer(response, chooseReply(script, recorded, index))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    maxConcurrent: () => maxConcurrent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function chooseReply(script: Script, request: RecordedRequest, index: number): Reply {
  const reply = typeof script === 'function' ? script(request, index) : (script[index] ?? script.at(-1) ?? {})
  return typeof reply === 'string' ? { text: reply } : reply
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const recorded: RecordedRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    startedAtMs: performance.now(),
    aborted: false,
    ended: new Promise((resolve) => {
      response.once('close', () => {
        recorded.endedAtMs = performance.now()
        recorded.aborted = !response.writableFinished
        resolve()
      })
    }),
  }
  noteContent(recorded.body['messages'])
  noteAuthorization(recorded.headers.authorization)
  return recorded
}

function answer(response: ServerResponse, { after, ...reply }: Reply): void {
  if (after !== undefined) {
    void after.then(() => {
      answer(response, reply)
    })
    return
  }
  if (reply.hang === 'before') {
    reply.onHang?.()
    return
  }
  const timer = setTimeout(() => {
    if (reply.drop === 'before') response.destroy()
    else write(response, reply)
  }, reply.delayMs ?? 0)
  response.once('close', () => {
    clearTimeout(timer)
  })
}

function write(response: ServerResponse, reply: Reply): void {
  const body = bodyOf(reply)
  noteContent([reply.text, reply.body])
  const { status = 200, reason, headers } = reply
  const head = { 'content-type': 'application/json', ...headers }
  if (reason === undefined) response.writeHead(status, head)
  else response.writeHead(status, reason, head)
  if (reply.hang === undefined && reply.drop === undefined) response.end(body)
  else
    response.write(body.slice(0, body.length / 2), () => {
      if (reply.drop === undefined) reply.onHang?.()
      else response.destroy()
    })
}

function bodyOf(reply: Reply): string | Buffer {
  if (Buffer.isBuffer(reply.body)) return reply.body
  if (reply.body !== undefined) return typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  if (reply.status !== undefined && reply.status >= 400)
    return JSON.stringify({ error: { message: 'upstream secret text', type: 'server_error' } })
  return JSON.stringify(completion(reply))
}

/** An OpenAI chat completion. */
export function completion({ text = 'ok', finishReason = 'stop', message, usage }: Reply = {}): Record<
  string,
  unknown
> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'model',
    choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content: text, ...message } }],
    ...(usage === null ? {} : { usage: usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
  }
}
