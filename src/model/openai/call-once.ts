import type { ChatTurn, SummaryTask } from '../../prompt/task.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { CallRecord } from '../observer.ts'
import { addTally } from '../summarizer.ts'
import { learnerOf, type CallContext, type CallResult } from './call-context.ts'
import type { Change } from './decide-retry.ts'
import type { SentText } from './echo.ts'
import type { CompletionRequest } from './endpoint.ts'
import { CallTimeout, type Failure } from './failure.ts'
import { isNoSummary, isOwnPrompt, judgeText } from './judge-text.ts'
import { type ParameterSupport, detectUnsupported } from './parameter-support.ts'
import { checkCompletion, type Completion } from './read-completion.ts'
import { readFailure, readReplyError } from './read-failure.ts'

interface Call extends Omit<CallParameters, 'parameterSupport'> {
  /** The call's time-out, in milliseconds; undefined for as long as the budget lasts. */
  timeoutMs: number | undefined
}

/**
 * Makes one call and checks its reply. When the server rejects a parameter, the call is repeated at once without it, at
 * most once for each parameter, and later calls leave it out too (see `LearnedSupport`).
 * @throws the budget's signal's reason when that aborts
 */
export async function callOnce(call: Call, context: CallContext): Promise<CallResult> {
  const { support, now, budget, server } = context
  const learner = learnerOf(context)
  const { model } = call
  const { host, ignoresLimit = false } = context.endpointOf(model)
  const sentText = textSentBy(call.task)
  let own: Partial<ParameterSupport> = {}
  for (;;) {
    const parameterSupport = { ...support.of(model, learner), ...own }
    const record = context.observer.callStarted(model)
    budget.onCall?.({ model, outcome: 'begun' })
    const sent = await send({ ...call, parameterSupport }, record, context)
    if (!('error' in sent)) {
      server.note(host)
      const completion = checkCompletion(sent.reply)
      addTally(budget.tally, { calls: 0, usage: completion.usage, redactions: 0 })
      const { finishReason, usage } = completion
      const result = readResult(completion, call, ignoresLimit)
      const outcome = result.ok ? 'ok' : result.failure.kind
      record.end(outcome, usage)
      budget.onCall?.({ model, outcome, finishReason })
      return redactResult(result, context)
    }
    const unsupported = detectUnsupported(sent.error, parameterSupport, sentText)
    const failure = redactPrinted(readFailure(sent.error, now(), sentText), context)
    server.note(host, failure)
    const outcome = unsupported === undefined ? failure.kind : 'parameter-refused'
    record.end(outcome)
    budget.onCall?.({ model, outcome, status: failure.status })
    if (unsupported === undefined) return { ok: false, failure }
    support.learn(model, unsupported, learner)
    own = { ...own, ...unsupported }
  }
}

function textSentBy(task: SummaryTask): SentText {
  const { systemPrompt = '', prompt } = task
  let turns: ChatTurn[] | undefined
  return {
    includes: (text) =>
      prompt.includes(text) ||
      systemPrompt.includes(text) ||
      (turns ??= turnsOf(task)).some(({ content }) => content.includes(text)),
  }
}

/** Sends the request, until the budget ends or the call has used up its time-out. */
async function send(
  call: Call & CallParameters,
  record: CallRecord,
  context: CallContext,
): Promise<{ reply: unknown } | { error: unknown }> {
  const { budget } = context
  const timeout = new AbortController()
  const end = (): void => timeout.abort(new CallTimeout())
  const stop = call.timeoutMs === undefined ? undefined : context.startTimer(end, call.timeoutMs)
  budget.tally.calls += 1
  try {
    const signal = AbortSignal.any([budget.signal, timeout.signal])
    const reply = await context.endpointOf(call.model).complete(buildRequest(call, context), {
      signal,
      headers: record.headers,
      calls: budget.tally.calls,
    })
    const error = readReplyError(reply)
    return error === undefined ? { reply } : { error }
  } catch (error) {
    if (budget.signal.aborted) record.end('aborted')
    budget.signal.throwIfAborted()
    return { error: timeout.signal.aborted ? timeout.signal.reason : error }
  } finally {
    stop?.()
  }
}

/** A model may write out a secret that was in its prompt in a form that no rule matches. */
function redactResult(result: CallResult, { redact, budget }: CallContext): CallResult {
  if (!result.ok) return result
  const { text, redactions } = redact(result.text)
  budget.tally.redactions += redactions
  return { ok: true, text }
}

const redactPrinted = (failure: Failure, { redact }: CallContext): Failure =>
  failure.printed === undefined ? failure : { ...failure, printed: redact(failure.printed).text }

function readResult(completion: Completion, { task, changes }: Call, ignoresLimit: boolean): CallResult {
  switch (completion.outcome) {
    case 'ok':
      // The server enforces the task's own limit; the cap was sent for thinking, not for a longer summary.
      if ((ignoresLimit || changes.has('cap-as-limit')) && estimateTextTokens(completion.text) > task.maxTokens)
        return { ok: false, failure: { kind: 'over-limit' } }
      return judgeAnswer(completion.text, task)
    case 'truncated':
      return { ok: false, failure: { kind: completion.hasText ? 'truncated' : 'truncated-thinking' } }
    default:
      return { ok: false, failure: { kind: completion.outcome } }
  }
}

function judgeAnswer(text: string, task: SummaryTask): CallResult {
  const isNone = isOwnPrompt(text, task) || isNoSummary(text, task)
  const kind = judgeText(text, task.prompt) ?? (isNone ? 'no-summary' : undefined)
  return kind === undefined ? { ok: true, text } : { ok: false, failure: { kind } }
}

type ReasoningEffort = NonNullable<CompletionRequest['reasoning_effort']>

interface CallParameters {
  model: string
  task: SummaryTask
  changes: ReadonlySet<Change>
  parameterSupport: ParameterSupport
}

/**
 * Builds a call's body: system prompt, prompt (or the chat that it was made of) and limit, and nothing more: some
 * servers reject even an empty list of tools.
 */
function buildRequest(
  { model, task, changes, parameterSupport }: CallParameters,
  deps: Pick<CallContext, 'brevityDemand' | 'maxSummaryTokens'>,
): CompletionRequest {
  const { limitName, largestLimit = Infinity, reasoningEffort } = parameterSupport
  const system = task.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: task.systemPrompt }]
  const turns = turnsOf(task)
  const sent = changes.has('brevity') ? addDemand(turns, deps.brevityDemand) : turns
  const limit = changes.has('cap-as-limit') ? deps.maxSummaryTokens : task.maxTokens
  return {
    model,
    messages: [...system, ...sent],
    [limitName]: Math.min(limit, largestLimit),
    // Servers have efforts of their own; the SDK's type lists only the newest of OpenAI's.
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort as ReasoningEffort }),
  }
}

/** Decodes the prompt only now: most of the time it is bytes, which need no memory of the heap. */
const turnsOf = ({ turns, prompt }: SummaryTask): ChatTurn[] =>
  turns === undefined ? [{ role: 'user', content: prompt.toString() }] : (JSON.parse(turns.toString()) as ChatTurn[])

/** Appends the demand to the user's last message, because some servers require user and assistant to alternate. */
function addDemand(turns: readonly ChatTurn[], demand: string): ChatTurn[] {
  const last = turns.at(-1)
  if (last?.role !== 'user') return [...turns, { role: 'user', content: demand }]
  return [...turns.slice(0, -1), { role: 'user', content: `${last.content}\n\n${demand}` }]
}
