import { writeAfterEvent, writeEventBefore, type HookRequest } from '../use-cases/shared/hook-events.ts'
import type { Answers, Hooked, Material, Pipeline, RepairDemand, Reported } from '../use-cases/shared/pipeline.ts'
import { checkAnswers } from '../use-cases/shared/check-answers.ts'
import { compactChat } from '../use-cases/chat/compact-chat.ts'
import { compactConversation } from '../use-cases/compaction/compact-conversation.ts'
import { compactItems } from '../use-cases/response-items/compact-items.ts'
import { compactSession } from '../use-cases/compaction/compact-session.ts'
import { completeChat } from '../use-cases/chat/complete-chat.ts'
import { renderReply } from '../use-cases/compaction/render-reply.ts'
import type { PipelineServices, ReadingNotes, SentPlan } from '../use-cases/shared/services.ts'
import { givenAs } from '../use-cases/shared/summary-material.ts'
import { summarizeBranch } from '../use-cases/branch-summary/summarize-branch.ts'
import type { CutSurvey } from '../use-cases/compress/compress-messages.ts'
import { summarizePrefix } from '../use-cases/compress/summarize-prefix.ts'
import { summarizePrompt } from '../use-cases/compaction/summarize-prompt.ts'
import { writeHandoff } from '../use-cases/handoff/write-handoff.ts'
import { measureTasks } from '../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { HookName } from '../schemas/hooks.ts'
import type { ReplyQuery } from '../schemas/reply-form.ts'
import { fieldsOf } from '../session/entry.ts'
import { resumeRedaction } from '../redact/redaction.ts'
import { reportIgnored, type ReportNotes } from '../summary/report.ts'

/** The next step of a request. */
export type Step =
  | ReplyStep
  /** Models are to be called. */
  | { kind: 'call'; tasks: Segments<SummaryTask>; plan?: SentPlan; held: HeldMaterial; before?: HooksBefore }

/** Hooks that are to run before the model is called, in their order. */
export interface HooksBefore {
  hooks: readonly HookName[]
  /** As JSON, without its type. */
  event: Buffer
}

export interface RepairStep {
  kind: 'repair'
  demand: RepairDemand
}

export interface ReplyStep {
  kind: 'reply'
  /** A value, or a Buffer with JSON. */
  reply: object
  /** Headers of a reply that is not JSON. */
  headers?: Readonly<Record<string, string>>
  reported?: Reported
  plan?: SentPlan
  compressed?: CompressOutcome
  /** The event of `afterCompact`, if that is exported. */
  after?: Buffer
}

/** What the main process needs to know of messages that were compressed. */
export interface CompressOutcome {
  tokensBefore: number
  tokensAfter: number
  survey?: CutSurvey
}

/** What a request needs again after models have answered: plain data. */
export interface HeldMaterial {
  pipeline: PipelineName
  material: Material
  asked: ReplyQuery
  /** What hooks get to know of the request. */
  request: HookRequest
}

const PIPELINES = {
  session: compactSession,
  conversation: compactConversation,
  prompt: summarizePrompt,
  chat: completeChat,
  'chat-compaction': compactChat,
  items: compactItems,
  handoff: writeHandoff,
  branch: summarizeBranch,
  prefix: summarizePrefix,
} as const

export type PipelineName = keyof typeof PIPELINES

/** The notes have the names of the parts that were not read as they came. */
export interface StepOptions extends ReadingNotes {
  services: PipelineServices
  /** When the request arrived, in milliseconds since the epoch. */
  startedAt: number
  /** Whether the client listens for the event `plan`. */
  wantsPlan: boolean
  /** The path of the route, and the id of the request, for hooks. */
  path?: string
  requestId?: string | undefined
  /** How the client wants the reply, on routes with a choice. */
  asked?: ReplyQuery
}

/** Goes on with a request after models have answered. */
export function continueRequest(
  { pipeline, material: prepared, asked, request }: HeldMaterial,
  answers: Answers,
  { services, startedAt }: Pick<StepOptions, 'services' | 'startedAt'>,
): ReplyStep | RepairStep {
  const { hooked } = answers
  const material = withHooked(pipeline, prepared, hooked)
  const checked = checkAnswers(material, answers, services)
  if ('repair' in checked) return { kind: 'repair', demand: checked.repair }
  // The material was made by the same pipeline.
  const { finish } = PIPELINES[pipeline] as unknown as Pipeline<never, Material>
  const finished = finish(material, checked.drafts, { services, startedAt, notes: notesOf(services, hooked) })
  return {
    kind: 'reply',
    reported: finished.reported,
    ...renderReply(finished, { asked, format: material.format }),
    ...(hasHook(pipeline, 'afterCompact', services) && { after: writeAfterEvent(finished, request) }),
  }
}

/** The pipelines whose replies have data of the agent. */
const WITH_DATA: readonly PipelineName[] = ['session', 'conversation']

/** Returns a material with what hooks have supplied in place of a model's summary, and with the data that they add. */
function withHooked(
  pipeline: PipelineName,
  original: Material,
  { summary, preserveData }: Hooked = { runs: [] },
): Material {
  const material = summary === undefined ? original : { ...givenAs(original, summary), givenBy: 'hook' as const }
  if (preserveData === undefined || !WITH_DATA.includes(pipeline)) return material
  return { ...material, preserveData: { ...fieldsOf(fieldsOf(original)['preserveData']), ...preserveData } } as Material
}

const notesOf = ({ replaced }: PipelineServices, { runs }: Hooked = { runs: [] }): ReportNotes => ({
  ...(replaced === undefined ? {} : { prompts: replaced.digest }),
  ...(runs.length === 0 ? {} : { hooks: runs.map((run) => ({ ...run })) }),
})

/** Whether a hook is exported, and applies to a pipeline. */
function hasHook(pipeline: PipelineName, hook: HookName, { hooks = [] }: PipelineServices): boolean {
  if (pipeline === 'chat') return false
  return (pipeline === 'branch') === (hook === 'beforeBranchSummary') && hooks.includes(hook)
}

/** Prepares the model call of a request; without a model and without hooks, code writes the reply at once. */
export function prepareRequest(name: PipelineName, request: unknown, options: StepOptions): Step {
  const { services, startedAt, wantsPlan, ignored, format, asked = {} } = options
  const pipeline = PIPELINES[name] as unknown as Pipeline<unknown, Material>
  const { material, writeTasks, planFacts } = pipeline.prepare(request, services)
  const { windowLimitTokens } = services
  const isGiven = material.given !== undefined
  const isModel = windowLimitTokens !== undefined && !isGiven
  const tasks = isModel || (wantsPlan && !isGiven) ? writeTasks() : {}
  const measured = () => (isGiven ? NOTHING_SENT : measureTasks(Object.values(tasks), windowLimitTokens))
  const plan = wantsPlan ? { plan: { ...measured(), ...planFacts } } : {}
  const origin = originOf(options)
  // With additions, the hooks have run already.
  const isAsked = !isGiven && services.additions === undefined
  const hooks = BEFORE.filter((hook) => isAsked && hasHook(name, hook, services))
  const event = hooks.length > 0 && {
    hooks,
    event: writeEventBefore(material, { isBranch: name === 'branch', request: origin, asked: request, planFacts }),
  }
  const held = { pipeline: name, material: withNotes(material, { ignored, format }, services), asked, request: origin }
  if (isModel || event)
    return { kind: 'call', tasks: isModel ? tasks : {}, held, ...plan, ...(event && { before: event }) }
  const done = continueRequest(held, { drafts: {}, mayRepair: false }, { services, startedAt })
  if (done.kind === 'repair') throw new Error('An extract needs no repair.')
  return { ...done, ...plan }
}

/** What is sent to models if the request has brought the summary. */
const NOTHING_SENT = { windows: 0, promptTokens: 0 }

/** The hooks before a summary, in their order. */
const BEFORE = ['beforeCompact', 'compacting', 'beforeBranchSummary'] as const

const originOf = ({ path = '', requestId = '', format }: StepOptions): HookRequest => ({
  route: path,
  requestId,
  ...(format === undefined ? {} : { format }),
})

function withNotes(original: Material, { ignored, format }: ReadingNotes, { redact }: PipelineServices): Material {
  const material = format === undefined ? original : { ...original, format }
  if (ignored === undefined) return material
  const redaction = resumeRedaction(redact, material.redaction)
  const reported = reportIgnored(ignored, redaction)
  return { ...material, ignored: reported, redaction: redaction.state() }
}
