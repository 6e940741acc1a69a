import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkCompletion } from '../src/model/openai/read-completion.ts'
import type { CallLog } from './call-log.ts'
import type { CallModel, ChatReply, ModelRequest } from './call-model.ts'

/** Where the calls of a lane go. */
export interface Target {
  /** Identifies the server and model, or the people, in the log of calls. */
  name: string
  call: CallModel
  log: CallLog
  /** True if people answer: then the time of a call says nothing. */
  isByHand: boolean
}

/** The work of one lane so far. */
export interface LaneTally {
  calls: number
  inputTokens: number
  outputTokens: number
  /** The time of all calls; undefined if people answered. */
  ms: number | undefined
}

/** A model server of one system, as the system sees it. */
export interface Lane {
  /** The base URL for OpenAI-compatible clients. */
  url: string
  tally: LaneTally
}

export interface LaneOptions {
  /** The number of the summary: equal requests of two samples are two calls. */
  sample?: number
  /** True if a request that has been answered may come again as a new call, since its reply was no use. */
  repeats: boolean
}

interface OpenLane extends LaneOptions {
  target: Target
  tally: LaneTally
  /** How often each request was answered. */
  answered: Map<string, number>
}

/**
 * A model server on a loopback port between the systems and the models. It counts the calls of each system, sends them
 * on, and answers those that an earlier run has made from the log.
 */
export class Relay {
  readonly #lanes: OpenLane[] = []
  readonly #pending = new Map<string, Promise<ChatReply>>()
  readonly #ended = new AbortController()
  readonly #dismissed = new AbortController()
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  addLane(target: Target, options: LaneOptions): Lane {
    const tally: LaneTally = { calls: 0, inputTokens: 0, outputTokens: 0, ms: target.isByHand ? undefined : 0 }
    const number = this.#lanes.push({ ...options, target, tally, answered: new Map() }) - 1
    const { port } = this.#server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/${number}/v1`, tally }
  }

  /** Ends the calls that people have not answered yet, and all later ones to them. Calls to models go on. */
  dismissPeople(): void {
    this.#dismissed.abort()
  }

  async close(): Promise<void> {
    this.dismissPeople()
    this.#ended.abort()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const lane = this.#lanes[Number(/^\/(\d+)\//.exec(request.url ?? '')?.[1])]
    if (lane === undefined) throw new Error('There is no such lane.')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const reply = await this.#answer(JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest, lane)
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  }

  async #answer(request: ModelRequest, lane: OpenLane): Promise<ChatReply> {
    const { target, sample = 0, repeats, tally, answered } = lane
    const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const key = JSON.stringify([target.name, sample, repeats ? (answered.get(digest) ?? 0) : 0, digest])
    tally.calls += 1
    const pending = this.#pending.get(key)
    const replying = pending ?? this.#make(request, key, lane)
    this.#pending.set(key, replying)
    const reply = await replying.finally(() => this.#pending.delete(key))
    if (reply.status !== 200) return reply
    answered.set(digest, (answered.get(digest) ?? 0) + 1)
    const { usage } = checkCompletion(parse(reply.body))
    tally.inputTokens += usage.inputTokens
    tally.outputTokens += usage.outputTokens
    if (tally.ms !== undefined) tally.ms += target.log.find(key)?.ms ?? 0
    return reply
  }

  async #make(request: ModelRequest, key: string, { target, repeats }: OpenLane): Promise<ChatReply> {
    const { call, log, isByHand } = target
    const known = log.find(key)?.body
    if (known !== undefined) return { status: 200, body: known }
    const start = performance.now()
    const reply = await (isByHand ? this.#askPeople(request, key, call) : call(request, key, this.#ended.signal))
    const isUseful = reply.status === 200 && (repeats || checkCompletion(parse(reply.body)).outcome === 'ok')
    // A person may correct a reply file, so its text is not copied.
    if (isUseful && !isByHand) log.save(key, { body: reply.body, ms: Math.round(performance.now() - start) })
    return reply
  }

  async #askPeople(request: ModelRequest, key: string, call: CallModel): Promise<ChatReply> {
    const { signal } = this.#dismissed
    if (signal.aborted) return DISMISSED
    return call(request, key, signal).catch((error: unknown) => {
      if (signal.aborted) return DISMISSED
      throw error
    })
  }
}

/** No client repeats a call with this status. */
const DISMISSED: ChatReply = { status: 403, body: '{"error":{"message":"The evaluation has failed."}}' }

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
