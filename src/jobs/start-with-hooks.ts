import { Problem } from '../errors.ts'
import type { Ticket } from '../runtime/fair-limit.ts'
import type { HookRun } from '../schemas/rules.ts'
import { defined } from '../text/defined.ts'
import { beginning } from '../text/shorten.ts'
import type { HookResult } from './hook-job.ts'
import type { HookRunner } from './hook-runner.ts'
import type { ReceivedRequest } from './job-runner.ts'
import type { Calls, HookOutcome, HooksBefore, PromptAdditions, Reply } from './protocol.ts'
import type { Services } from './services.ts'
import { startWithPrepared, type StartServices } from './start-with-prepared.ts'

/** A request that has started, and what hooks have done for it. */
interface Started {
  step: Calls | Reply
  hooked?: HookOutcome
}

/**
 * Does the work of a request up to a model call, and runs the hooks that come before it. Without a model, or with a summary
 * of a hook, the step is the reply.
 * @throws Problem, `compaction-cancelled` among others; the signal's reason when that aborts
 */
export async function startWithHooks(
  request: ReceivedRequest,
  services: StartServices & Pick<Services, 'hooks'>,
  ticket: Ticket,
): Promise<Started> {
  const { jobs, hooks } = services
  const step = await startWithPrepared(request, services, ticket)
  if (step.kind === 'reply' || step.before === undefined || hooks === undefined) return { step }
  const { runs, result } = await runInOrder(step.before, { hooks, requestId: request.head.requestId }, ticket)
  if (result.cancel === true) throw cancelled(result.reason)
  const { summary, preserveData } = result
  const hooked = defined({ runs, summary, preserveData })
  if ((Object.keys(step.tasks).length > 0 || step.isPrepared === true) && summary === undefined) {
    // Drafts that are there already count only with the additions that they were written with, which may be none.
    const additions = additionsOf(result) ?? (step.isPrepared === true ? {} : undefined)
    if (additions === undefined) return { step, hooked }
    // Read once more: prompts are written where the session is, and no process keeps it while hooks run.
    const again = { ...request, context: { ...request.context, additions } }
    const next = await startWithPrepared(again, services, ticket)
    if (next.kind === 'reply' || next.isPrepared !== true) return { step: next, hooked }
    const ready = { drafts: {}, mayRepair: false, hooked }
    const done = await jobs.continue(request, { held: next.held, answers: ready }, ticket)
    return { step: { ...done, ...(next.plan && { plan: next.plan }) } }
  }
  const answers = { drafts: {}, mayRepair: false, hooked }
  const done = await jobs.continue(request, { held: step.held, answers }, ticket)
  return { step: { ...done, ...(step.plan && { plan: step.plan }) } }
}

/** Runs the hook that comes after a summary. Nothing waits for it. */
export function notifyHooks(reply: Reply, { head: { requestId } }: ReceivedRequest, { hooks, caller }: Notified): void {
  if (reply.after !== undefined) hooks?.notify({ hook: 'afterCompact', event: reply.after, requestId, caller })
}

interface Notified {
  hooks: HookRunner | undefined
  caller: string
}

interface Outcome {
  runs: HookRun[]
  result: HookResult
}

/** Runs hooks one after another, until one of them refuses or supplies the summary. */
async function runInOrder(
  { hooks: names, event }: HooksBefore,
  { hooks, requestId }: { hooks: HookRunner; requestId: string },
  { caller, signal }: Ticket,
): Promise<Outcome> {
  const runs: HookRun[] = []
  let result: HookResult = {}
  for (const hook of names) {
    const done = await hooks.run({ hook, event, requestId, caller: typeof caller === 'string' ? caller : '' }, signal)
    runs.push(done.run)
    result = { ...result, ...done.result }
    if (result.cancel === true || result.summary !== undefined) break
  }
  return { runs, result }
}

const MAX_REASON_CHARACTERS = 500

function cancelled(reason = ''): Problem {
  const why = beginning(reason, MAX_REASON_CHARACTERS)
  return new Problem(
    'compaction-cancelled',
    `A hook of this service has cancelled the compaction${why === '' ? '.' : `: ${why}`}`,
  )
}

/** Returns what hooks add to the prompts; undefined for nothing. */
function additionsOf({ context = [], prompt, customInstructions }: HookResult): PromptAdditions | undefined {
  const additions = defined({ context: context.length > 0 ? context : undefined, prompt, customInstructions })
  return Object.keys(additions).length === 0 ? undefined : additions
}
