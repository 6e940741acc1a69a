import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { OnRefused } from './admission.ts'
import { factsOf } from './request-facts.ts'

/** How many bodies of the largest size may be in memory at once. */
const MAX_LARGEST_BODIES = 4

/** The memory that a request takes in this process: its body, and later what a job has made of it. */
interface RequestMemory {
  /** Counts bytes of the body that have arrived. @throws Problem `overloaded` if all memory is used */
  add: (bytes: number) => void
  /** Counts what the request takes from now on, in place of what it took before. */
  replace: (bytes: number) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only on routes with a budget. */
    readonly memory: RequestMemory
  }
}

/**
 * Limits the memory for all requests at the same time, which is known exactly: sessions are held as bytes. Bytes count when
 * they have arrived, until the reply has ended. If all memory is used, callers share it fairly: requests of the caller with
 * the most bytes end, as long as it has more than the caller whose bytes arrive.
 * @param bodyLimitBytes the largest size of one body
 */
export function limitRequestMemory(app: FastifyInstance, bodyLimitBytes: number, onRefused: OnRefused): void {
  const ledger = new Ledger(bodyLimitBytes * MAX_LARGEST_BODIES)
  const add = (request: FastifyRequest, bytes: number): void => {
    while (!ledger.fits(bytes)) {
      onRefused('body-bytes')
      const { caller } = request.budget
      const victim = ledger.findVictim({ caller, bytes: ledger.bytesOf(caller) + bytes })
      if (victim === undefined) {
        ledger.set(request, 0)
        throw new Problem('overloaded', 'The bodies of other requests use all memory for bodies. Try again later.')
      }
      endRequest(victim)
      ledger.set(victim.request, 0)
    }
    ledger.set(request, ledger.bytesIn(request) + bytes)
  }
  app.decorateRequest('memory', {
    getter() {
      return {
        add: (bytes) => add(this, bytes),
        replace: (bytes) => ledger.set(this, bytes),
      }
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    ledger.open(request, reply.raw)
    reply.raw.once('close', () => ledger.close(request))
  })
}

interface Holder {
  request: FastifyRequest
  reply: ServerResponse
  bytes: number
}

/** The bytes of all requests that have not ended, in the order in which they came. */
class Ledger {
  readonly #maxBytes: number
  readonly #holders = new Map<FastifyRequest, Holder>()
  #totalBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  open(request: FastifyRequest, reply: ServerResponse): void {
    this.#holders.set(request, { request, reply, bytes: 0 })
  }

  close(request: FastifyRequest): void {
    this.set(request, 0)
    this.#holders.delete(request)
  }

  /** A reply may end while a job of its request is still under way: then nothing is counted. */
  set(request: FastifyRequest, bytes: number): void {
    const holder = this.#holders.get(request)
    if (holder === undefined) return
    this.#totalBytes += bytes - holder.bytes
    holder.bytes = bytes
  }

  fits(bytes: number): boolean {
    return this.#totalBytes + bytes <= this.#maxBytes
  }

  bytesIn(request: FastifyRequest): number {
    return this.#holders.get(request)?.bytes ?? 0
  }

  bytesOf(caller: string): number {
    return this.#bytesByCaller().get(caller) ?? 0
  }

  /** Returns the request that ends first, of the caller with the most bytes; undefined if no caller has more than the given one. */
  findVictim(newcomer: { caller: string; bytes: number }): Holder | undefined {
    let largest = newcomer
    for (const [caller, bytes] of this.#bytesByCaller()) if (bytes > largest.bytes) largest = { caller, bytes }
    if (largest === newcomer) return undefined
    const holders = this.#counted().filter(({ request }) => request.budget.caller === largest.caller)
    // The one that has cost least: a body that is arriving, else a client that does not read its reply, else newest work.
    return (
      holders.findLast(({ request }) => !request.raw.complete) ??
      holders.find(({ reply }) => reply.writableEnded) ??
      holders.at(-1)
    )
  }

  #bytesByCaller(): Map<string, number> {
    const bytesByCaller = new Map<string, number>()
    for (const { request, bytes } of this.#counted())
      bytesByCaller.set(request.budget.caller, (bytesByCaller.get(request.budget.caller) ?? 0) + bytes)
    return bytesByCaller
  }

  /** Only routes with a budget count bytes. */
  #counted(): Holder[] {
    return Array.from(this.#holders.values()).filter(({ bytes }) => bytes > 0)
  }
}

/** Ends a request with 503, or with the end of its connection if the reply has been written already. */
function endRequest({ request, reply }: Holder): void {
  if (reply.writableEnded) {
    factsOf(request)['problem'] = 'overloaded'
    request.raw.socket.destroy()
    return
  }
  request.budget.end(
    new Problem('overloaded', 'The requests of this caller use more memory than those of others. Try again later.'),
  )
}
