import { serialize } from 'node:v8'
import type { RedactedTexts } from '../model/summarizer.ts'
import type { Answers, RepairDemand, Reported } from '../use-cases/shared/pipeline.ts'
import type { PipelineServices, SentPlan } from '../use-cases/shared/services.ts'
import type { Chunk, SplitConversationOptions } from '../prompt/split-conversation.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import { nextTurn } from '../runtime/abort.ts'
import { createFairLimit, type Turn } from '../runtime/fair-limit.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { WorkerPool } from '../runtime/worker-pool.ts'
import type { Answer, Job, RequestHead } from './job.ts'
import { runInWorker } from './run-in-worker.ts'
import type { CompressOutcome, HeldMaterial, HooksBefore, ReplyStep } from './steps.ts'

/** A request as it was received. */
export interface ReceivedRequest {
  head: RequestHead
  /** The body, in chunks. */
  chunks: readonly Buffer[]
  services: PipelineServices
}

/** The next step of a request, for the main process. */
export type RunningStep = FinalStep | CallStep

export interface FinalStep {
  kind: 'reply'
  /** JSON, unless there are headers. */
  body: Buffer
  headers?: Readonly<Record<string, string>>
  reported?: Reported
  plan?: SentPlan
  compressed?: CompressOutcome
  /** The event of the hook `afterCompact`, if that is exported. */
  after?: Buffer
}

export interface CallStep {
  kind: 'call'
  /** Empty without a model: only hooks are waited for. */
  tasks: Segments<SummaryTask>
  plan?: SentPlan
  before?: HooksBefore
  /** The memory that the request takes until it goes on. */
  heldBytes: number
  /** Replaces the secrets of the request in texts that a model wrote. */
  redact: (texts: readonly string[], turn: Turn) => Promise<RedactedTexts>
  /** Goes on after models have answered. It may be called again, with more answers. */
  proceed: (answers: Answers, turn: Turn) => Promise<FinalStep | { kind: 'repair'; demand: RepairDemand }>
}

/**
 * Requests up to this size run in the main process. The way to a worker and back takes 1 to 2 ms, and the work on so many bytes
 * 3 ms (measured: the median of 4 KB is shorter in a worker already).
 */
const INLINE_BYTES = 2048

/** The work itself. A service whose requests are all large never needs it in this process: it takes some 15 MiB. */
const loadWork = () => import('./job.ts')

/** Runs the CPU work of requests: small jobs in this process, the others in a worker. */
export class JobRunner {
  readonly #pool: WorkerPool | undefined
  /** The jobs in this process: one at a time, with the sockets between two of them, and callers in turn. */
  readonly #inline = createFairLimit(1)

  /** @param pool without it, all jobs run in this process */
  constructor(pool?: WorkerPool) {
    this.#pool = pool
  }

  /**
   * Reads a request and does its work up to a model call.
   * @throws Problem; the signal's reason when that aborts
   */
  async start(request: ReceivedRequest, turn: Turn): Promise<RunningStep> {
    const { head, chunks, services } = request
    if (this.#isSmall(sizeOf(request))) {
      const { route, hasBody, ...received } = head
      const body = hasBody ? Buffer.concat(chunks) : undefined
      const step = await this.#runInline(turn, ({ startRequest }) =>
        startRequest(route, { ...received, body }, { ...head, services }),
      )
      if (step.kind === 'reply') return finalStep(step)
      const { held, ...call } = step
      return this.#callStep(call, { value: held }, request)
    }
    const [answer, body] = await this.#run({ kind: 'start', request: head, services: dataOf(services) }, chunks, turn)
    if (answer.kind === 'reply') return { ...answer, body }
    if (answer.kind === 'call') return this.#callStep(answer, { bytes: body }, request)
    throw unexpected(answer)
  }

  /** Splits a transcript. @throws the signal's reason when that aborts */
  async split(conversation: Buffer, options: SplitConversationOptions, turn: Turn): Promise<readonly Chunk[]> {
    if (this.#isSmall(conversation.length))
      return this.#runInline(turn, ({ splitHere }) => splitHere(conversation, options))
    const [answer] = await this.#run({ kind: 'split', options }, [conversation], turn)
    if (answer.kind === 'chunks') return answer.chunks
    throw unexpected(answer)
  }

  /** Returns how many workers there are, and how many jobs they do and how many wait for them. */
  counts(): { inFlight: number; waiting: number; workers: number } {
    return this.#pool?.counts() ?? { inFlight: 0, waiting: 0, workers: 0 }
  }

  /** Ends the workers. */
  close(): void {
    this.#pool?.close()
  }

  #isSmall(bytes: number): boolean {
    return this.#pool === undefined || bytes <= INLINE_BYTES
  }

  #callStep(
    call: Omit<CallStep, 'heldBytes' | 'redact' | 'proceed'>,
    held: Held,
    { services, head: { startedAt } }: ReceivedRequest,
  ): CallStep {
    const prompts = Object.values(call.tasks).map(({ prompt }: SummaryTask) => prompt)
    return {
      ...call,
      heldBytes: byteLengthOf('bytes' in held ? [...prompts, held.bytes] : prompts),
      redact: async (texts, turn) => {
        if ('value' in held && this.#isSmall(texts.join('').length)) {
          const { value } = held
          return this.#runInline(turn, ({ redactDrafts }) => redactDrafts(value.material, texts))
        }
        const [answer] = await this.#run({ kind: 'redact', texts }, [bytesOf(held)], turn)
        if (answer.kind === 'redacted') return answer
        throw unexpected(answer)
      },
      proceed: async (answers, turn) => {
        if ('value' in held && this.#isSmall(lengthOf(answers))) {
          const { value } = held
          const step = await this.#runInline(turn, ({ continueRequest }) =>
            continueRequest(value, answers, { services, startedAt }),
          )
          return step.kind === 'reply' ? finalStep(step) : step
        }
        const job: Job = { kind: 'continue', answers, startedAt, services: dataOf(services) }
        const [answer, body] = await this.#run(job, [bytesOf(held)], turn)
        if (answer.kind === 'repair') return answer
        if (answer.kind === 'reply') return { ...answer, body }
        throw unexpected(answer)
      },
    }
  }

  /** Runs a job in this process. Sockets are served before it, however many jobs wait. */
  async #runInline<T>(turn: Turn, work: (tools: Awaited<ReturnType<typeof loadWork>>) => T): Promise<T> {
    const tools = await loadWork()
    return this.#inline.run(async () => {
      await nextTurn()
      return work(tools)
    }, turn)
  }

  #run(job: Job, body: readonly Buffer[], turn: Turn): Promise<[Answer, Buffer]> {
    if (this.#pool === undefined) throw new Error('There are no workers.')
    return runInWorker(this.#pool, { header: job, body }, turn)
  }
}

/** The material of a request: as it is if it is small, as bytes if a worker has made it. */
type Held = { value: HeldMaterial } | { bytes: Buffer }

const bytesOf = (held: Held): Buffer => ('value' in held ? serialize(held.value) : held.bytes)

async function finalStep({ reply, ...others }: ReplyStep): Promise<FinalStep> {
  const { writeReply } = await loadWork()
  return { ...others, body: writeReply(reply) }
}

const dataOf = ({ templates: _templates, ...data }: PipelineServices): Omit<PipelineServices, 'templates'> => data

/** Returns the size of a request: all that its work may have to search. */
const sizeOf = ({ head: { query, modes, additions }, chunks }: ReceivedRequest): number =>
  byteLengthOf(chunks) + Buffer.byteLength(JSON.stringify({ query, modes, additions }))

/** Returns the size of the texts of answers, in UTF-16 units. */
function lengthOf({ drafts: { history, turnPrefix }, repair }: Answers): number {
  let length = 0
  for (const draft of [history, turnPrefix, repair?.draft]) length += typeof draft === 'object' ? draft.text.length : 0
  return length
}

const unexpected = ({ kind }: Answer): Error => new Error(`A job has given an answer of the wrong kind: ${kind}.`)
