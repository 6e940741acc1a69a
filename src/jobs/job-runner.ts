import type { RedactedTexts } from '../model/summarizer.ts'
import type { Chunk, SplitConversationOptions } from '../prompt/split-conversation.ts'
import { nextTurn } from '../runtime/abort.ts'
import { FairPlaces, type Ticket } from '../runtime/fair-limit.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import type {
  Answer,
  Answers,
  Calls,
  Job,
  SummaryLookup,
  Reply,
  RequestHead,
  SentContext,
  Work,
  WorkContext,
  WorkJob,
} from './protocol.ts'
import { runInWorker } from './run-in-worker.ts'

export interface ReceivedRequest {
  head: RequestHead
  /** The body, in chunks. */
  chunks: readonly Buffer[]
  context: WorkContext
  /** Loads the work of its use case into this process. */
  load: () => Promise<Work>
}

/** Returns a request with another step of its work. */
export const withStep = (received: ReceivedRequest, modes: RequestHead['modes']): ReceivedRequest => ({
  ...received,
  head: { ...received.head, modes },
})

/**
 * Requests up to this size run in the main process. The way to a worker and back takes 1 to 2 ms, and the work on so many bytes
 * 3 ms (measured: the median of 4 KB is shorter in a worker already).
 */
const INLINE_BYTES = 2048

/** The held bytes of such a request, and the answers of a model to it. */
const INLINE_HELD_BYTES = 4 * INLINE_BYTES

/** A service whose requests are all large never needs the work in this process: it takes some 15 MiB. */
const loadJobs = () => import('./job.ts')

/** Runs the CPU work of requests: small jobs in this process, the others in a worker. */
export class JobRunner {
  readonly #pool: WorkerPool | undefined
  /** The jobs in this process: one at a time, with the sockets between two of them, and callers in turn. */
  readonly #inline = new FairPlaces(1)

  /** @param pool without it, all jobs run in this process */
  constructor(pool?: WorkerPool) {
    this.#pool = pool
  }

  /**
   * Reads a request and does its work up to a model call.
   * @throws Problem; the signal's reason when that aborts
   */
  async start(request: ReceivedRequest, ticket: Ticket): Promise<Calls | Reply | SummaryLookup> {
    const { head, chunks } = request
    const job = { kind: 'start', path: head.path, head, context: dataOf(request) } as const
    const isSmall = this.#isSmall(sizeOf(request), INLINE_BYTES)
    const [answer, body] = await this.#run(job, chunks, { isSmall, request, ticket })
    return answer.kind === 'lookup' ? answer : stepOf([answer, body])
  }

  /**
   * Goes on with a request when models have answered.
   * @throws Problem; the signal's reason when that aborts
   */
  async continue(request: ReceivedRequest, { held, answers }: Answered, ticket: Ticket): Promise<Calls | Reply> {
    const job = { kind: 'continue', path: request.head.path, answers, context: dataOf(request) } as const
    const isSmall = this.#isSmall(held.length + lengthOf(answers), INLINE_HELD_BYTES)
    return stepOf(await this.#run(job, [held], { isSmall, request, ticket }))
  }

  /** Replaces the secrets of a request in texts that a model wrote. @throws the signal's reason when that aborts */
  async redact(request: ReceivedRequest, { held, texts }: Written, ticket: Ticket): Promise<RedactedTexts> {
    const job = { kind: 'redact', path: request.head.path, texts } as const
    const isSmall = this.#isSmall(held.length + texts.join('').length, INLINE_HELD_BYTES)
    const [answer] = await this.#run(job, [held], { isSmall, request, ticket })
    if (answer.kind === 'redacted') return answer
    throw unexpected(answer)
  }

  /** Splits a transcript. @throws the signal's reason when that aborts */
  async split(conversation: Buffer, options: SplitConversationOptions, ticket: Ticket): Promise<readonly Chunk[]> {
    if (this.#pool === undefined || conversation.length <= INLINE_BYTES) {
      const { splitHere } = await import('../prompt/split-conversation.ts')
      return this.#runInline(ticket, () => splitHere(conversation, options))
    }
    const job: Job = { kind: 'split', options }
    const [answer] = await runInWorker(this.#pool, { header: job, body: [conversation] }, ticket)
    if (answer.kind === 'chunks') return answer.chunks
    throw unexpected(answer)
  }

  /** Waits while jobs that a caller has left behind have all its places. @throws the signal's reason when that aborts */
  async whenNoneLeft(ticket: Ticket): Promise<void> {
    await this.#pool?.whenNoneLeft(ticket)
  }

  /** Returns how many workers there are, and how many jobs they do and how many wait for them. */
  counts(): { inFlight: number; waiting: number; workers: number } {
    return this.#pool?.counts() ?? { inFlight: 0, waiting: 0, workers: 0 }
  }

  /** Ends the workers. */
  close(): void {
    this.#pool?.close()
  }

  #isSmall(bytes: number, most: number): boolean {
    return this.#pool === undefined || bytes <= most
  }

  async #run(job: WorkJob, body: readonly Buffer[], { isSmall, request, ticket }: Place): Promise<[Answer, Buffer]> {
    if (this.#pool !== undefined && !isSmall) return runInWorker(this.#pool, { header: job, body }, ticket)
    const [{ doWork }, work] = await Promise.all([loadJobs(), request.load()])
    const { templates } = request.context
    const answer = await this.#runInline(ticket, () => doWork(job, Buffer.concat(body), { work, templates }))
    return [answer.header, Buffer.concat(answer.body)]
  }

  /** Works in this process. Sockets are served before, however much work waits. */
  #runInline<T>(ticket: Ticket, act: () => T): Promise<T> {
    return this.#inline.run(async () => {
      await nextTurn()
      return act()
    }, ticket)
  }
}

/** The held bytes of a request, and the answers of models. */
interface Answered {
  held: Buffer
  answers: Answers
}

interface Written {
  held: Buffer
  texts: readonly string[]
}

interface Place {
  /** Whether the job runs in this process. */
  isSmall: boolean
  request: ReceivedRequest
  ticket: Ticket
}

/** Each process has the templates itself. */
function dataOf({ context: { templates: _templates, ...data } }: ReceivedRequest): SentContext {
  return data
}

function stepOf([answer, body]: [Answer, Buffer]): Calls | Reply {
  if (answer.kind === 'reply') return { ...answer, body }
  if (answer.kind === 'calls') return { ...answer, held: body }
  throw unexpected(answer)
}

/** Returns the size of a request: all that its work may have to search. */
const sizeOf = ({ head: { query, modes }, context: { additions }, chunks }: ReceivedRequest): number =>
  byteLengthOf(chunks) + Buffer.byteLength(JSON.stringify({ query, modes, additions }))

/** Returns the size of the texts of answers, in UTF-16 units. */
function lengthOf({ drafts: { history, turnPrefix }, second }: Answers): number {
  let length = 0
  for (const draft of [history, turnPrefix, second?.draft]) length += typeof draft === 'object' ? draft.text.length : 0
  return length
}

const unexpected = ({ kind }: Answer): Error => new Error(`A job has given an answer of the wrong kind: ${kind}.`)
