import type { Draft, Tally } from '../../model/summarizer.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../../prompt/task.ts'
import type { RedactionState } from '../../redact/redaction.ts'
import type { Report } from '../../schemas/compaction-reply.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { HookRun } from '../../schemas/rules.ts'
import type { Ignored } from '../../schemas/ignored.ts'
import type { FileLists } from '../../session/entry.ts'
import type { Native } from '../../agents/native.ts'
import type { WrittenSession } from '../../agents/write-session.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import type { ReportNotes } from '../../summary/report.ts'
import type { SummaryInputs } from '../../summary/restore-essentials.ts'
import type { AskedSections } from '../../summary/sections.ts'
import type { PipelineServices, PlanFacts } from './services.ts'

/**
 * One use case that needs a model, in two synchronous parts. Between them the model answers, which may take minutes: what
 * the second part needs of the first is plain data, so that another process can go on.
 */
export interface Pipeline<Request, M extends Material> {
  /** Reads, plans and redacts a request. @throws Problem */
  prepare: (request: Request, services: PipelineServices) => Prepared<M>
  /** Returns the reply, made from the checked drafts. */
  finish: (material: M, drafts: Segments<CheckedDraft>, context: FinishContext) => Finished
}

/** What every pipeline needs after the model has answered. Secrets are replaced. */
export interface Material {
  /** What is to be written. */
  assignments: Segments<Assignment>
  /** The caller's instructions, and the previous summary. */
  guidance: HistoryGuidance
  /** The sections that a client's own prompt asks for. */
  asked?: AskedSections
  /** The messages of the request, and its files: a summary may take facts from all of them. */
  inputs?: SummaryInputs
  files?: FileLists
  /** The secrets that were replaced so far. */
  redaction: RedactionState
  /** The parts of the request that were not read. */
  ignored?: Ignored
  format?: FormatId
  /** The summary that the request or a hook brought, in place of a model's. */
  given?: string
  givenBy?: 'hook'
}

export interface Prepared<M extends Material> {
  material: M
  /** Writes the prompts: only models need them. */
  writeTasks: () => Segments<SummaryTask>
  /** Further fields of the event `plan`, for clients that listen for events. */
  planFacts?: PlanFacts
}

export interface FinishContext {
  services: PipelineServices
  /** When the request arrived, in milliseconds since the epoch. */
  startedAt: number
  notes?: ReportNotes
}

/** The reply of a pipeline, and what the log and the metrics show of it. */
export interface Finished {
  reply: object
  /** The summary or, of a chat that is no compaction, the answer. */
  summary: string
  reported: Reported
  /** What the agent's own storage needs, if the request asked for it. */
  native?: WrittenNative
  /** A session in another format, if the request asked for one. */
  newSession?: WrittenSession
  /** The compacted list of messages as JSON, if the request asked for it. */
  history?: string
}

/** A native form, with the format that it belongs to. */
export interface WrittenNative extends Native {
  format: FormatId
}

/** What the log and the metrics show of a reply. */
export interface Reported {
  report: Report
  tokensBefore?: number
  tokensAfter?: number
  tokensOutside?: number
}

/** What models have answered so far. */
export interface Answers {
  /** A missing draft is written by code: there is no model. So is a `degraded` one: every candidate has failed. */
  drafts: Segments<Draft | 'degraded'>
  /** Whether a model can be asked to repair a draft. */
  mayRepair: boolean
  /** What hooks have done before. */
  hooked?: Hooked
  /** The second draft of a segment, if there was a repair call: it may have failed. */
  repair?: { segment: keyof Segments<unknown>; draft?: Draft | undefined; tally: Tally }
}

/** What hooks have done before a summary was written. */
export interface Hooked {
  runs: readonly HookRun[]
  /** Takes the place of a model's. */
  summary?: string
  preserveData?: Record<string, unknown>
}

/** A request for the repair of a draft. */
export interface RepairDemand {
  segment: keyof Segments<unknown>
  /** Follows the prompt of the draft. */
  demand: string
  /** Its estimated tokens. */
  demandTokens: number
}
