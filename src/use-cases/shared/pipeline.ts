import type { Native } from '../../agents/appender.ts'
import type { WrittenSession } from '../../agents/native.ts'
import type { PlanFacts, WorkContext } from '../../jobs/protocol.ts'
import type { ReplyMetrics } from '../../observe/metrics.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type { Segments, SummaryTask } from '../../prompt/task.ts'
import type { RedactionState } from '../../redact/redaction.ts'
import type { FormatId } from '../../schemas/format.ts'
import type { Ignored } from '../../schemas/ignored.ts'
import type { FileLists } from '../../session/entry.ts'
import type { AskedSections } from '../../summary/asked-sections.ts'
import type { CheckedDraft } from '../../summary/draft.ts'
import type { ReportNotes } from '../../summary/report.ts'
import type { SummaryInputs } from '../../summary/summary-inputs.ts'

/**
 * One way to write a summary, in two synchronous parts. Between them the model answers, which may take minutes: what the second
 * part needs of the first is plain data, so that another process can go on. `Before` is `SummaryLookup` where prepared summaries are used.
 */
export interface Pipeline<Request = unknown, M extends Material = Material, Before = never> {
  /** Which hooks of the operator apply; default: those of compactions. `before`: only those before them. */
  hooks?: 'branch' | 'before' | 'none'
  /** Whether its reply has data of the agent, to which hooks may add. */
  hasData?: true
  /** Reads, plans and redacts a request, or returns what must be looked up before it. @throws Problem */
  prepare(request: Request, context: WorkContext): PreparedRequest<M> | Before
  /** Returns the reply, made from the checked drafts. */
  finish(material: M, drafts: Segments<CheckedDraft>, context: FinishContext): PipelineResult
}

/** The material that every pipeline needs after the model has answered. Secrets are replaced. */
export interface Material {
  /** The texts that are to be written. */
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
  /** Data of the agent, returned as it is. */
  preserveData?: Record<string, unknown>
}

export interface PreparedRequest<M extends Material> {
  kind?: undefined
  material: M
  /** The drafts, if they were prepared: no model is called. */
  drafts?: Segments<CheckedDraft> | undefined
  /** Writes the prompts: only models need them. */
  writeTasks: () => Segments<SummaryTask>
  /** Further fields of the event `plan`, for clients that listen for events. */
  planFacts?: PlanFacts
}

export interface FinishContext extends WorkContext {
  /** When the request arrived, in milliseconds since the epoch. */
  startedAt: number
  notes?: ReportNotes
}

/** The reply of a pipeline, and what the log and the metrics show of it. */
export interface PipelineResult {
  reply: object
  /** The summary or, of a chat that is no compaction, the answer. */
  summary: string
  reported: ReplyMetrics
  /** The records for the agent's own storage, if the request asked for it. */
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
