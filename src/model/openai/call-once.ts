import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import { checkCompletion, type Completion } from '../../summary/check-completion.ts'
import type { CallRecord } from '../observer.ts'
import type { Answer, Asking } from './asking.ts'
import { buildRequest, type Question } from './build-request.ts'
import { firstDialect, type Dialect } from './dialect.ts'
import { learnDialect } from './learn-dialect.ts'
import { readFailure } from './read-failure.ts'
import { readReplyError } from './read-reply-error.ts'
import { Stalled } from './stalled.ts'

export interface Call extends Omit<Question, 'dialect'> {
  /** How long it may take, in milliseconds; undefined for as long as the budget lasts. */
  shareMs: number | undefined
}

/** Node's timers fire at once past this (a 32-bit signed count of milliseconds). */
const MAX_TIMER_MS = 2_147_483_647

/**
 * Makes one call and checks what comes. A server that refuses a parameter is asked again at once without it, at most
 * once for each, and what was learnt is remembered.
 * @throws the budget's signal's reason when that aborts
 */
export async function callOnce(call: Call, asking: Asking): Promise<Answer> {
  const { dialects, now, reasoningEffort, tally } = asking
  const known = (): Dialect => dialects.get(call.model) ?? firstDialect(reasoningEffort)
  for (;;) {
    const dialect = known()
    const record = asking.observer.callBegan(call.model)
    const sent = await send({ ...call, dialect }, record, asking)
    if (!('error' in sent)) {
      const completion = checkCompletion(sent.reply)
      tally.usage.inputTokens += completion.usage.inputTokens
      tally.usage.outputTokens += completion.usage.outputTokens
      asking.budget.onFinish?.(completion.finishReason)
      const answer = readAnswer(completion, call)
      record.end(answer.ok ? 'ok' : answer.failure.kind, completion.usage)
      return redactAnswer(answer, asking)
    }
    const lesson = learnDialect(sent.error, dialect)
    const failure = readFailure(sent.error, now())
    record.end(lesson === undefined ? failure.kind : 'parameter-refused')
    if (lesson === undefined) return { ok: false, failure }
    // A call at the same time may have learnt something else meanwhile.
    dialects.set(call.model, { ...known(), ...lesson })
  }
}

/** Sends the request; it ends when the budget does, or when this call has had its share of the time. */
async function send(
  question: Call & Question,
  record: CallRecord,
  asking: Asking,
): Promise<{ reply: unknown } | { error: unknown }> {
  const { budget, client, tally } = asking
  const share = new AbortController()
  const end = (): void => {
    share.abort(new Stalled())
  }
  const timer = question.shareMs === undefined ? undefined : setTimeout(end, Math.min(question.shareMs, MAX_TIMER_MS))
  tally.calls += 1
  try {
    const signal = AbortSignal.any([budget.signal, share.signal])
    const reply = await client.chat.completions.create(buildRequest(question, asking), {
      signal,
      headers: record.headers,
    })
    const error = readReplyError(reply)
    return error === undefined ? { reply } : { error }
  } catch (error) {
    if (budget.signal.aborted) record.end('aborted')
    budget.signal.throwIfAborted()
    return { error: share.signal.aborted ? share.signal.reason : error }
  } finally {
    clearTimeout(timer)
  }
}

/** A model may write a secret that its prompt held in a form which no rule knows. */
function redactAnswer(answer: Answer, { redact, tally }: Asking): Answer {
  if (!answer.ok) return answer
  const { text, redactions } = redact(answer.text)
  tally.redactions += redactions
  return { ok: true, text }
}

function readAnswer(completion: Completion, { task, changes }: Call): Answer {
  switch (completion.outcome) {
    case 'ok':
      // With the task's own limit the server has seen to it; the cap was given for thinking, not for a longer summary.
      if (changes.has('cap-as-limit') && estimateTextTokens(completion.text) > task.maxTokens)
        return { ok: false, failure: { kind: 'over-limit' } }
      return { ok: true, text: completion.text }
    case 'truncated':
      return { ok: false, failure: { kind: completion.hasText ? 'truncated' : 'truncated-thinking' } }
    default:
      return { ok: false, failure: { kind: completion.outcome } }
  }
}
