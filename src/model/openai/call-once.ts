import { APIError } from 'openai'
import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { checkCompletion, type Completion } from '../../summary/check-completion.ts'
import type { SummaryTask } from '../summarizer.ts'
import type { Answer, Asking } from './asking.ts'
import { buildRequest } from './build-request.ts'
import type { Change } from './decide-retry.ts'
import { FIRST_DIALECT, learnDialect, type Dialect } from './dialect.ts'
import { readFailure } from './read-failure.ts'
import { Stalled } from './stalled.ts'

/**
 * The share of the time left that a call may take while something else could still be tried. A reply that is not
 * streamed shows no sign of life, so a stalled call cannot be told from a slow one: two thirds let all but the slowest
 * finish, and leave a third for one that is quick.
 */
const SHARE_OF_TIME = 2 / 3

export interface Call {
  model: string
  task: SummaryTask
  changes: ReadonlySet<Change>
  mayTakeAll: boolean
}

/**
 * Makes one call and checks what comes. A server that refuses a parameter is asked again at once without it, and what
 * was learnt is remembered.
 * @throws the budget's signal's reason when that aborts
 */
export async function callOnce(call: Call, asking: Asking): Promise<Answer> {
  const { dialects, tally, budget, now } = asking
  for (;;) {
    const dialect = dialects.get(call.model) ?? FIRST_DIALECT
    try {
      tally.calls += 1
      return readAnswer(await send({ ...call, dialect }, asking), call.task)
    } catch (error) {
      budget.signal.throwIfAborted()
      const learnt = error instanceof APIError ? learnDialect(dialect, error as APIError) : undefined
      if (learnt === undefined) return { ok: false, failure: readFailure(error, now()) }
      dialects.set(call.model, learnt)
    }
  }
}

/** Sends the request; it ends when the budget does, or when this call has had its share of the time. */
async function send(call: Call & { dialect: Dialect }, asking: Asking): Promise<Completion> {
  const { budget, client, now, tally } = asking
  const leftMs = Math.max(1, budget.deadlineAt - now())
  const stalled = new AbortController()
  const timer = setTimeout(
    () => {
      stalled.abort()
    },
    call.mayTakeAll ? leftMs : leftMs * SHARE_OF_TIME,
  )
  try {
    const signal = AbortSignal.any([budget.signal, stalled.signal])
    const completion = checkCompletion(await client.chat.completions.create(buildRequest(call, asking), { signal }))
    tally.usage.inputTokens += completion.usage.inputTokens
    tally.usage.outputTokens += completion.usage.outputTokens
    return completion
  } catch (error) {
    throw stalled.signal.aborted ? new Stalled() : error
  } finally {
    clearTimeout(timer)
  }
}

/** A summary that does not fit what the client asked for is none (a reasoning model got the cap as its limit). */
function readAnswer(completion: Completion, { maxTokens }: SummaryTask): Answer {
  switch (completion.outcome) {
    case 'ok':
      if (estimateTextTokens(completion.text) > maxTokens) return { ok: false, failure: { kind: 'over-limit' } }
      return { ok: true, text: completion.text }
    case 'truncated':
      return { ok: false, failure: { kind: completion.hasText ? 'truncated' : 'truncated-thinking' } }
    default:
      return { ok: false, failure: { kind: completion.outcome } }
  }
}
