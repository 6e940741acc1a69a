import type { Fault, ProblemType } from '../errors.ts'
import type { ReceivedBody } from '../ingest/parse-body.ts'
import type { Draft, RedactedTexts, Tally } from '../model/summarizer.ts'
import type { ReplyMetrics } from '../observe/metrics.ts'
import type { ReplacedTemplates } from '../prompt/load-prompts.ts'
import type { Chunk, SplitConversationOptions } from '../prompt/split-conversation.ts'
import type { Segments, SummaryTask } from '../prompt/task.ts'
import type { Templates } from '../prompt/templates.ts'
import type { HookName } from '../schemas/hooks.ts'
import type { HookRun } from '../schemas/rules.ts'
import type { WorkSettings } from '../settings.ts'

/**
 * The work of a use case: synchronous functions of plain data and bytes, so that any process can do it. It starts, and goes on
 * each time that models have answered, until it has the reply. In between, nothing remembers the request but `held`.
 */
export interface Work<Modes = unknown> {
  /** @throws Problem */
  start(request: WorkRequest<Modes>, context: WorkContext): Calls | Reply | SummaryLookup
  /** Left out if the work calls no models. */
  continue?(held: Buffer, answers: Answers, context: WorkContext): Calls | Reply
  /** Replaces the secrets of the request in texts that a model wrote. */
  redact?(held: Buffer, texts: readonly string[]): RedactedTexts
}

/**
 * Prepared summaries are to be looked up: those of the keys that the request could use, the newest first. Then the work starts once
 * more: no process keeps a session meanwhile.
 */
export interface SummaryLookup {
  kind: 'lookup'
  /** Those that it can use at once: one that is being written is waited for. */
  whole: readonly string[]
  /** Those that it can continue. */
  earlier: readonly string[]
  /** False if it wants to know only which one it would use. */
  mayWait: boolean
  /** Whether it can use nothing else. */
  isOnly?: true
  /** The name under which the choice is kept: the parts of one text come from one summary, whatever is prepared between them. */
  pin?: string
}

/** The prepared summaries of the caller of a request. */
export interface PreparedContext {
  /** A hash of the caller, and of all that shapes summaries and is no setting of work: the models, the prompts, the hooks. */
  owner: string
  /** The keys of all that are known. */
  keys: readonly string[]
  /** The result of the lookup: undefined before it, `null` for nothing. */
  found?: FoundSummary | null
}

export interface FoundSummary {
  key: string
  /** As the work has written it; left out if it is still being written, or has failed. */
  drafts?: string
  /** The last attempt to write it has failed, and there is no other one. Only for lookups that do not wait. */
  hasFailed?: true
}

/** Models are to be called, or hooks to be run, before the work goes on. */
export interface Calls {
  kind: 'calls'
  /** Empty without a model: only hooks are waited for. */
  tasks: Segments<SummaryTask>
  /** Instead of the tasks: the model is asked once more about a draft. */
  followUp?: FollowUp
  plan?: SentPlan
  before?: HooksBefore
  /** The state that the work needs again. */
  held: Buffer
  /** Whether the drafts are there already: hooks may change that. */
  isPrepared?: true
}

export interface Reply {
  kind: 'reply'
  /** JSON, unless there are headers. */
  body: Buffer
  headers?: Readonly<Record<string, string>>
  /** For the log line of the request and for the metrics. */
  reported?: ReplyMetrics
  plan?: SentPlan
  /** The facts that the use case needs beside the reply, in the main process. */
  outcome?: unknown
  /** The event of the hook `afterCompact`, if that is exported. */
  after?: Buffer
}

/** A text that follows the prompt of a draft. */
export interface FollowUp {
  segment: keyof Segments<unknown>
  text: string
  /** Its estimated tokens. */
  tokens: number
}

/** The answers of models, and the results of the hooks before. */
export interface Answers {
  /** A missing draft is written by code: there is no model. So is a `degraded` one: every candidate has failed. */
  drafts: Segments<Draft | 'degraded'>
  /** Whether a model can be asked once more about a draft. */
  mayRepair: boolean
  hooked?: HookOutcome
  /** The answer to a follow-up: without a draft if the call has failed. */
  second?: { segment: keyof Segments<unknown>; draft?: Draft | undefined; tally: Tally }
}

/** Hooks that are to run before the model is called, in their order. */
export interface HooksBefore {
  hooks: readonly HookName[]
  /** As JSON, without its type. */
  event: Buffer
}

/** The results of the hooks that ran before a summary was written. */
export interface HookOutcome {
  runs: readonly HookRun[]
  /** Takes the place of a model's. */
  summary?: string
  preserveData?: Record<string, unknown>
}

/** The plan event: what a request is about to send to the summarizer. */
export interface SentPlan extends PlanFacts {
  /** Number of chunks. */
  windows: number
  promptTokens: number
}

/** Fields of the plan event that only the entries and messages forms have. */
export interface PlanFacts {
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

/** A request as it is read. */
export interface WorkRequest<Modes = unknown> extends ReceivedBody, RequestFacts {
  /** The choices of headers and query. */
  modes: Modes
}

interface RequestFacts {
  /** The path of the use case. */
  path: string
  requestId: string
  /** When the request arrived, in milliseconds since the epoch. */
  startedAt: number
  /** Whether the client listens for the event `plan`. */
  wantsPlan: boolean
}

/**
 * The facts of the service and, beside its body, of the request that work needs. Plain data, but for the templates: each process
 * loads those itself.
 */
export interface WorkContext extends WorkSettings {
  templates: Templates
  /** Those that the operator has replaced, for worker processes. */
  replaced?: ReplacedTemplates | undefined
  /** The context window of the summarizer, in tokens. */
  summarizerWindow: number
  /** The window that prompts must fit, in tokens; undefined if there is no model: code writes extracts. */
  windowLimitTokens: number | undefined
  /** Milliseconds since the epoch. */
  nowMs: number
  /** The hooks that the operator's module exports. */
  hooks?: readonly HookName[] | undefined
  /** The additions of hooks to the prompts of this request: then it is read for the second time. */
  additions?: PromptAdditions | undefined
  /** Only in use cases that use prepared summaries. */
  prepared?: PreparedContext | undefined
}

/** The additions of hooks to the prompts of a request. */
export interface PromptAdditions {
  /** Lines for the additional context. */
  context?: readonly string[]
  /** Replaces the instructions. */
  prompt?: string | undefined
  /** Replaces those of a request for a branch. */
  customInstructions?: string
}

/** A request without the bytes of its body. */
export interface RequestHead extends Omit<WorkRequest, 'body'> {
  /** False if the request has no body, which is not the same as an empty one. */
  hasBody: boolean
}

/** As a worker gets them: it has templates of its own. */
export type SentContext = Omit<WorkContext, 'templates'>

/** The header of a job. The body of its frame is that of the request, what the work has held, or a transcript. */
export type Job = WorkJob | { kind: 'split'; options: SplitConversationOptions }

/** A job of the use case with this path. */
export type WorkJob =
  | { kind: 'start'; path: string; head: RequestHead; context: SentContext }
  | { kind: 'continue'; path: string; answers: Answers; context: SentContext }
  | { kind: 'redact'; path: string; texts: readonly string[] }

/** The header of an answer. The body of its frame is the reply, or what the work holds. */
export type Answer =
  | Omit<Reply, 'body'>
  | Omit<Calls, 'held'>
  | SummaryLookup
  | ({ kind: 'redacted' } & RedactedTexts)
  | { kind: 'chunks'; chunks: readonly Chunk[] }
  | { kind: 'problem'; type: ProblemType; detail: string; faults: readonly Fault[]; status: number }
  /** Any other error, without its message, which may quote the body. */
  | { kind: 'error'; name: string; frames: string; isStackOverflow: boolean }
