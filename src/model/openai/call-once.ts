import type { OpenAI } from 'openai'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { checkCompletion, type Completion } from './read-completion.ts'
import type { CallRecord } from '../observer.ts'
import type { Answer, CallContext, CallDeps } from './call-context.ts'
import { initialSupport, type ParameterSupport, detectUnsupported } from './parameter-support.ts'
import { readFailure, readReplyError } from './read-failure.ts'
import { CallTimeout } from './failure.ts'
import type { ChatTurn, SummaryTask } from '../../prompt/task.ts'
import type { Change } from './decide-retry.ts'

export interface Call extends Omit<Question, 'support'> {
  /** How long it may take, in milliseconds; undefined for as long as the budget lasts. */
  timeoutMs: number | undefined
}

/**
 * Makes one call and checks what comes. A server that refuses a parameter is asked again at once without it, at most
 * once for each, and what was learnt is remembered.
 * @throws the budget's signal's reason when that aborts
 */
export async function callOnce(call: Call, context: CallContext): Promise<Answer> {
  const { parameterSupport, now, reasoningEffort, tally } = context
  const known = (): ParameterSupport => parameterSupport.get(call.model) ?? initialSupport(reasoningEffort)
  for (;;) {
    const support = known()
    const record = context.observer.callBegan(call.model)
    const sent = await send({ ...call, support }, record, context)
    if (!('error' in sent)) {
      const completion = checkCompletion(sent.reply)
      tally.usage.inputTokens += completion.usage.inputTokens
      tally.usage.outputTokens += completion.usage.outputTokens
      context.budget.onFinish?.(completion.finishReason)
      const answer = readAnswer(completion, call)
      record.end(answer.ok ? 'ok' : answer.failure.kind, completion.usage)
      return redactAnswer(answer, context)
    }
    const lesson = detectUnsupported(sent.error, support)
    const failure = readFailure(sent.error, now())
    record.end(lesson === undefined ? failure.kind : 'parameter-refused')
    if (lesson === undefined) return { ok: false, failure }
    // A call at the same time may have learnt something else meanwhile.
    parameterSupport.set(call.model, { ...known(), ...lesson })
  }
}

/** Sends the request; it ends when the budget does, or when this call has had its share of the time. */
async function send(
  question: Call & Question,
  record: CallRecord,
  context: CallContext,
): Promise<{ reply: unknown } | { error: unknown }> {
  const { budget, client, tally } = context
  const share = new AbortController()
  const end = (): void => {
    share.abort(new CallTimeout())
  }
  const stop = question.timeoutMs === undefined ? undefined : context.startTimer(end, question.timeoutMs)
  tally.calls += 1
  try {
    const signal = AbortSignal.any([budget.signal, share.signal])
    const reply = await client.chat.completions.create(buildRequest(question, context), {
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
    stop?.()
  }
}

/** A model may write a secret that its prompt held in a form which no rule knows. */
function redactAnswer(answer: Answer, { redact, tally }: CallContext): Answer {
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

type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
type ReasoningEffort = NonNullable<ChatRequest['reasoning_effort']>

export interface Question {
  model: string
  task: SummaryTask
  changes: ReadonlySet<Change>
  support: ParameterSupport
}

/**
 * Builds a call's body: system prompt, prompt (or the chat it was) and limit, and nothing that was not asked for. Some
 * servers refuse even an empty list of tools (docs/clients.md, "Lessons").
 */
export function buildRequest(
  { model, task, changes, support }: Question,
  tools: Pick<CallDeps, 'brevityDemand' | 'maxSummaryTokens'>,
): ChatRequest {
  const { limitName, largestLimit = Infinity, reasoningEffort } = support
  const system = task.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: task.systemPrompt }]
  const turns = task.turns ?? [{ role: 'user' as const, content: task.prompt }]
  const told = changes.has('brevity') ? addDemand(turns, tools.brevityDemand) : turns
  const limit = changes.has('cap-as-limit') ? tools.maxSummaryTokens : task.maxTokens
  return {
    model,
    messages: [...system, ...told],
    [limitName]: Math.min(limit, largestLimit),
    // The server knows which efforts it has; the SDK's list is only the newest of OpenAI's.
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort as ReasoningEffort }),
  }
}

/** The user's last word takes it, since some servers want user and assistant to take turns. */
function addDemand(turns: readonly ChatTurn[], demand: string): ChatTurn[] {
  const last = turns.at(-1)
  if (last?.role !== 'user') return [...turns, { role: 'user', content: demand }]
  return [...turns.slice(0, -1), { role: 'user', content: `${last.content}\n\n${demand}` }]
}
