import { emptyTally, type CallBudget, type Draft, type ModelDraft } from '../model/summarizer.ts'
import { mapSegments, withPrompt, type Segments, type SummaryTask } from '../prompt/task.ts'
import { anyOf, startTimer as startRealTimer, type StartTimer } from '../runtime/abort.ts'
import { byteLengthOf } from '../runtime/frames.ts'
import type { ReceivedRequest } from './job-runner.ts'
import type { Answers, Calls, HookOutcome, Reply, SentPlan } from './protocol.ts'
import type { Services } from './services.ts'
import { notifyHooks, startWithHooks } from './start-with-hooks.ts'
import type { StartServices } from './start-with-prepared.ts'
import { summarizeSegments, type Drafts } from './summarize-segments.ts'

/** A request's budget and its listener. */
export interface JobBudget extends CallBudget {
  /** Aborts when the client is gone, or a moment after the deadline: an answer that has been paid for is still sent. */
  replySignal: AbortSignal
  /** Whose work it is: callers are served in turn. */
  caller: string
  /** Receives the plan event, before anything is sent to the summarizer. */
  onPlan?: (plan: SentPlan) => void
  /** Called with the bytes that the request takes in memory from now on. */
  onHeld?: (bytes: number) => void
  /** Called before models are asked, and waited for. @throws what ends the request */
  onCalls?: () => Promise<void>
}

/**
 * Runs a request to its reply: reads it, calls the model, and has its work go on with the answers, until that has a reply. The
 * work between the calls is done by jobs.
 * @throws Problem; the reason of the budget's signals when they abort
 */
export async function runRequest(request: ReceivedRequest, services: RunServices, budget: JobBudget): Promise<Reply> {
  const { summarizer, hooks } = services
  const { signal, caller, wanted } = budget
  // Without a model server, the work of a request is its job.
  if (summarizer.name === 'embedded') await budget.slot?.acquire(signal)
  const { step, hooked } = await startWithHooks(request, services, { signal, caller, wanted })
  if (step.plan !== undefined) budget.onPlan?.(step.plan)
  const reply = step.kind === 'reply' ? step : await answerCalls({ request, first: step, hooked }, services, budget)
  notifyHooks(reply, request, { hooks, caller })
  return reply
}

type RunServices = Pick<Services, 'jobs' | 'summarizer' | 'hooks' | 'startTimer'> & StartServices

interface Called {
  request: ReceivedRequest
  first: Calls
  hooked: HookOutcome | undefined
}

/** Calls models, and goes on with what they have answered, until there is a reply. */
async function answerCalls(
  { request, first, hooked }: Called,
  { jobs, summarizer, startTimer = startRealTimer }: RunServices,
  limits: JobBudget,
): Promise<Reply> {
  if (summarizer.name === 'embedded') throw new Error('Without a model, a job needs no answer.')
  // What models have written is finished at once, also if no request waits for it.
  const ticket = { signal: limits.replySignal, caller: limits.caller }
  const { tasks, held } = first
  const redact = (texts: readonly string[]) => jobs.redact(request, { held, texts }, ticket)
  const budget = { ...limits, redact }
  limits.onHeld?.(byteLengthOf([...Object.values(tasks).map(({ prompt }: SummaryTask) => prompt), held]))
  await limits.onCalls?.()
  const drafts = await summarizeSegments({ summarizer, startTimer }, tasks, budget)
  let answers: Answers = {
    drafts: mapSegments(drafts, (draft) => (draft === 'degraded' ? draft : withoutPrompt(draft))),
    mayRepair: Object.values(drafts).every(hasPrompt),
    ...(hooked && { hooked }),
  }
  for (let last = held; ;) {
    const step = await jobs.continue(request, { held: last, answers }, ticket)
    if (step.kind === 'reply') return step
    last = step.held
    const { segment, task } = followUpTask(step, tasks, drafts)
    limits.onHeld?.(byteLengthOf([task.prompt, step.held]))
    const tally = emptyTally()
    const draft = await tryInTime({ ...budget, tally }, startTimer, (within) => summarizer.summarize(task, within))
    // A model is asked once more, and not again.
    answers = { drafts: {}, mayRepair: false, second: { segment, draft: draft && withoutPrompt(draft), tally } }
  }
}

/** A job needs no prompts: they would only be copied. */
const withoutPrompt = ({ lastPrompt: _prompt, ...draft }: ModelDraft): Draft => draft

const hasPrompt = (draft: ModelDraft | 'degraded'): boolean => draft === 'degraded' || draft.lastPrompt !== undefined

/** Returns the task of a follow-up: the prompt of the draft, and after it the text. */
function followUpTask(
  { followUp }: Calls,
  tasks: Segments<SummaryTask>,
  drafts: Drafts,
): { segment: keyof Drafts; task: SummaryTask } {
  const segment = followUp?.segment ?? 'history'
  const [task, draft] = [tasks[segment], drafts[segment]]
  const last = typeof draft === 'object' ? draft.lastPrompt : undefined
  if (followUp === undefined || task === undefined || last === undefined)
    throw new Error('Only drafts of models are repaired.')
  const { chunking: _chunking, ...whole } = task
  const prompt = Buffer.concat([last.prompt, Buffer.from(followUp.text)])
  return { segment, task: withPrompt(whole, { prompt, promptTokens: last.promptTokens + followUp.tokens }) }
}

/** The share of the remaining time that a repair must leave for sending the reply. */
const RESERVED_SHARE = 0.1

/** @returns undefined when the call fails, or does not finish within the time that it may use */
async function tryInTime<T>(
  budget: CallBudget,
  startTimer: StartTimer,
  run: (within: CallBudget) => Promise<T>,
): Promise<T | undefined> {
  const leftMs = (budget.deadlineAt - Date.now()) * (1 - RESERVED_SHARE)
  const tooLate = new AbortController()
  const stop = startTimer(() => tooLate.abort(), leftMs)
  const signal = anyOf(budget.signal, tooLate.signal)
  try {
    return await run({ ...budget, signal, deadlineAt: Date.now() + leftMs })
  } catch {
    // The first draft stays, whatever failed, unless the client is gone. The time limit above keeps the deadline from passing here.
    budget.signal.throwIfAborted()
    return undefined
  } finally {
    stop()
  }
}
