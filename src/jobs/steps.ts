import type { Answers, Material, Pipeline, RepairDemand, Reported } from '../pipelines/pipeline.ts'
import { checkAnswers } from '../pipelines/check-answers.ts'
import { compactChat } from '../pipelines/compact-chat.ts'
import { compactConversation } from '../pipelines/compact-conversation.ts'
import { compactItems } from '../pipelines/compact-items.ts'
import { compactSession } from '../pipelines/compact-session.ts'
import { completeChat } from '../pipelines/complete-chat.ts'
import { renderReply } from '../pipelines/render-reply.ts'
import type { PipelineServices, ReadingNotes, SentPlan } from '../pipelines/services.ts'
import { summarizeBranch } from '../pipelines/summarize-branch.ts'
import type { CutSurvey } from '../pipelines/compress-messages.ts'
import { summarizePrefix } from '../pipelines/summarize-prefix.ts'
import { summarizePrompt } from '../pipelines/summarize-prompt.ts'
import { writeHandoff } from '../pipelines/write-handoff.ts'
import { measureTasks } from '../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { ReplyQuery } from '../schemas/reply-form.ts'
import { startRedaction } from '../redact/redaction.ts'
import { reportIgnored } from '../summary/report.ts'

/** The next step of a request. */
export type Step =
  | ReplyStep
  /** Models are to be called. */
  | { kind: 'call'; tasks: Segments<SummaryTask>; plan?: SentPlan; held: HeldMaterial }

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
  /** How the client wants the reply, on routes with a choice. */
  asked?: ReplyQuery
}

/** Goes on with a request after models have answered. */
export function continueRequest(
  { pipeline, material, asked }: HeldMaterial,
  answers: Answers,
  { services, startedAt }: Pick<StepOptions, 'services' | 'startedAt'>,
): ReplyStep | RepairStep {
  const checked = checkAnswers(material, answers, services.templates)
  if ('repair' in checked) return { kind: 'repair', demand: checked.repair }
  // The material was made by the same pipeline.
  const { finish } = PIPELINES[pipeline] as unknown as Pipeline<never, Material>
  const { reported, ...finished } = finish(material, checked.drafts, { services, startedAt })
  return { kind: 'reply', reported, ...renderReply(finished, { asked, format: material.format }) }
}

/** Prepares the model call of a request; without a model, code writes the reply at once. */
export function prepareRequest(
  name: PipelineName,
  request: unknown,
  { services, startedAt, wantsPlan, ignored, format, asked = {} }: StepOptions,
): Step {
  const pipeline = PIPELINES[name] as unknown as Pipeline<unknown, Material>
  const { material, writeTasks, planFacts } = pipeline.prepare(request, services)
  const { windowLimitTokens } = services
  const isGiven = material.given !== undefined
  const isModel = windowLimitTokens !== undefined && !isGiven
  const tasks = isModel || (wantsPlan && !isGiven) ? writeTasks() : {}
  const measured = () => (isGiven ? NOTHING_SENT : measureTasks(Object.values(tasks), windowLimitTokens))
  const plan = wantsPlan ? { plan: { ...measured(), ...planFacts } } : {}
  const held = { pipeline: name, material: withNotes(material, { ignored, format }, services), asked }
  if (isModel) return { kind: 'call', tasks, held, ...plan }
  const done = continueRequest(held, { drafts: {}, mayRepair: false }, { services, startedAt })
  if (done.kind === 'repair') throw new Error('An extract needs no repair.')
  return { ...done, ...plan }
}

/** What is sent to models if the request has brought the summary. */
const NOTHING_SENT = { windows: 0, promptTokens: 0 }

function withNotes(original: Material, { ignored, format }: ReadingNotes, { redact }: PipelineServices): Material {
  const material = format === undefined ? original : { ...original, format }
  if (ignored === undefined) return material
  const redaction = startRedaction(redact, material.redactions)
  const reported = reportIgnored(ignored, redaction)
  return { ...material, ignored: reported, redactions: redaction.count() }
}
