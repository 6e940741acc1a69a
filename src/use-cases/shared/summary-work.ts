import { deserialize, serialize } from 'node:v8'
import type { Answers, Calls, SummaryLookup, Reply, Work, WorkContext, WorkRequest } from '../../jobs/protocol.ts'
import type { Segments } from '../../prompt/task.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import { measureTasks } from '../../prompt/chunk-prompt.ts'
import { resumeRedaction } from '../../redact/redaction.ts'
import type { HookName } from '../../schemas/hooks.ts'
import type { ReplyQuery } from '../../schemas/reply-form.ts'
import { reportIgnored } from '../../summary/report.ts'
import { defined } from '../../text/defined.ts'
import { checkAnswers, redactDrafts } from './check-answers.ts'
import { writeAfterEvent, writeEventBefore, type HookRequest } from './hook-events.ts'
import type { Material, Pipeline } from './pipeline.ts'
import { redactPrepared } from './prepared-drafts.ts'
import { renderReply, writeJson, type ReadingNotes } from './reply.ts'
import { notesOf, withHooked } from './summary-material.ts'

type AnyPipeline = Pipeline<unknown, Material, SummaryLookup>

type Pipelines = Readonly<Record<string, AnyPipeline>>

/** The choice of a request: one of the pipelines, with what was read for it. */
type Choice<P extends Pipelines> = { [Name in keyof P & string]: ChosenPipeline<Name, P[Name]> }[keyof P & string]

interface ChosenPipeline<Name, P> {
  name: Name
  request: P extends Pipeline<infer Request, Material, SummaryLookup> ? Request : never
  /** How the client wants the reply, in use cases with a choice. */
  replyQuery?: ReplyQuery
  notes?: ReadingNotes
}

/** The state that work needs again after models have answered: plain data. */
interface Held {
  pipeline: string
  material: Material
  replyQuery: ReplyQuery
  /** The facts of the request for hooks. */
  request: HookRequest
  startedAt: number
  /** Those that were prepared: then no model is called. */
  drafts?: Segments<CheckedDraft> | undefined
  /** Once a model is asked about a draft again: the first answers. */
  first?: Answers
}

/**
 * Returns the work of a use case that needs a model.
 * @param pipelines what it can do, by name
 * @param read reads a request and chooses what it asks for
 */
export function summaryWork<P extends Pipelines, Modes = unknown>(
  pipelines: P,
  read: (request: WorkRequest<Modes>, context: WorkContext) => Choice<P>,
): Required<Work<Modes>> {
  const pipelineOf = (name: string): AnyPipeline => {
    const pipeline = pipelines[name]
    if (pipeline === undefined) throw new Error('Another use case has held this.')
    return pipeline
  }
  return {
    start(request, context) {
      const chosen = read(request, context)
      return prepare(pipelineOf(chosen.name), { chosen, request, context })
    },
    continue(bytes, answers, context) {
      const held = readHeld(bytes)
      return finish(pipelineOf(held.pipeline), { held, answers }, context)
    },
    redact: (bytes, texts) => redactDrafts(readHeld(bytes).material, texts),
  }
}

const readHeld = (bytes: Buffer): Held => deserialize(bytes) as Held

interface Preparation {
  chosen: ChosenPipeline<string, AnyPipeline>
  request: WorkRequest
  context: WorkContext
}

/** Prepares the model call of a request; without a model and without hooks, code writes the reply at once. */
function prepare(
  pipeline: AnyPipeline,
  { chosen, request: received, context }: Preparation,
): Calls | Reply | SummaryLookup {
  const { name, request, notes = {}, replyQuery = {} } = chosen
  const { format } = notes
  const { path, requestId, startedAt, wantsPlan } = received
  const prepared = pipeline.prepare(request, context)
  if (prepared.kind === 'lookup') return prepared
  const { material, drafts, writeTasks, planFacts } = prepared
  const { windowLimitTokens } = context
  const isGiven = material.given !== undefined || drafts !== undefined
  const isModel = windowLimitTokens !== undefined && !isGiven
  const tasks = isModel || (wantsPlan && !isGiven) ? writeTasks() : {}
  const measured = () => (isGiven ? NOTHING_SENT : measureTasks(Object.values(tasks), windowLimitTokens))
  const plan = wantsPlan ? { plan: { ...measured(), ...planFacts } } : {}
  const origin = defined({ route: path, requestId, format })
  // With additions, the hooks have run already.
  const isAsked = material.given === undefined && context.additions === undefined
  const hooks = BEFORE.filter((hook) => isAsked && hasHook(pipeline, hook, context))
  const isBranch = pipeline.hooks === 'branch'
  const event = hooks.length > 0 && {
    hooks,
    event: writeEventBefore(material, { isBranch, request: origin, posted: request, planFacts }),
  }
  const noted = withNotes(material, notes, context)
  const held = { pipeline: name, material: noted, replyQuery, request: origin, startedAt, drafts }
  // What hooks have supplied comes with the answers.
  const isHooked = drafts !== undefined && context.additions !== undefined
  if (isModel || event || isHooked)
    return {
      kind: 'calls',
      tasks: isModel ? tasks : {},
      held: serialize(held),
      ...plan,
      ...(event && { before: event }),
      ...(drafts !== undefined && { isPrepared: true as const }),
    }
  return { ...finish(pipeline, { held, answers: { drafts: {}, mayRepair: false } }, context), ...plan }
}

/** The size of the prompts if the request has brought the summary: none is sent. */
const NOTHING_SENT = { windows: 0, promptTokens: 0 }

/** Goes on with a request after models have answered. */
function finish(
  pipeline: AnyPipeline,
  { held, answers }: { held: Held; answers: Answers },
  context: WorkContext,
): Calls | Reply {
  const { replyQuery, request, startedAt } = held
  const { hooked } = held.first ?? answers
  const material = held.first === undefined ? withHooked(pipeline, held.material, hooked) : held.material
  const checked =
    held.drafts === undefined || material.given !== undefined
      ? checkAnswers(material, { answers, first: held.first }, context)
      : { drafts: redactPrepared(held.drafts, material, context.redact) }
  if ('followUp' in checked) {
    const { followUp, first } = checked
    return { kind: 'calls', tasks: {}, followUp, held: serialize({ ...held, material, first }) }
  }
  const finished = pipeline.finish(material, checked.drafts, { ...context, startedAt, notes: notesOf(context, hooked) })
  const { reply, headers } = renderReply(finished, { replyQuery, format: material.format })
  const after = hasHook(pipeline, 'afterCompact', context) ? writeAfterEvent(finished, request) : undefined
  return defined({ kind: 'reply' as const, body: writeJson(reply), headers, reported: finished.reported, after })
}

/** The hooks before a summary, in their order. */
const BEFORE = ['beforeCompact', 'compacting', 'beforeBranchSummary'] as const

/** Whether a hook is exported, and applies to a pipeline. */
function hasHook({ hooks: applied }: AnyPipeline, hook: HookName, { hooks = [] }: WorkContext): boolean {
  if (applied === 'none') return false
  if (applied === 'before' && hook === 'afterCompact') return false
  return (applied === 'branch') === (hook === 'beforeBranchSummary') && hooks.includes(hook)
}

function withNotes(original: Material, { ignored, format }: ReadingNotes, { redact }: WorkContext): Material {
  const material = format === undefined ? original : { ...original, format }
  if (ignored === undefined) return material
  const redaction = resumeRedaction(redact, material.redaction)
  const reported = reportIgnored(ignored, redaction)
  return { ...material, ignored: reported, redaction: redaction.state() }
}
