/** The types of `precis/hooks`, for authors of hooks (docs/hooks.md). There is no code here. */

/** The functions of a module of `PRECIS_HOOKS`. All of them are optional, and may be async. */
export interface Hooks {
  /** Runs before a summary is written. It can refuse the compaction, or supply the summary. */
  beforeCompact?: (event: BeforeCompactEvent) => Answer<BeforeCompactResult>
  /** Runs after `beforeCompact`. It can add to the prompt, replace its instructions, and add data to preserve. */
  compacting?: (event: CompactingEvent) => Answer<CompactingResult>
  /** Runs when the summary is finished. The reply does not wait for it, and it changes nothing. */
  afterCompact?: (event: AfterCompactEvent) => void | Promise<void>
  /** Runs before the summary of a branch that the user leaves. It can refuse or supply the summary. */
  beforeBranchSummary?: (event: BeforeBranchSummaryEvent) => Answer<BeforeBranchSummaryResult>
}

export type HookName = keyof Hooks

type Answer<Result> = Result | undefined | Promise<Result | undefined>

interface HookEvent<Name extends HookName> {
  type: Name
  /** The path of the request, such as `/compaction`. */
  route: string
  /** The `X-Request-Id` of the request. */
  requestId: string
  /** The format of the posted session, as in `report.format`. */
  format?: string
}

/** The material of a summary. Secrets are replaced, unless `PRECIS_REDACT` is `false`. */
export interface Preparation {
  /** The messages before the cut, without those of `turnPrefixMessages`. Long outputs of tools are shortened. */
  messagesToSummarize: HookMessage[]
  /** The beginning of the turn in which the cut is. */
  turnPrefixMessages: HookMessage[]
  /** How many of the oldest messages were left out, because all together have more than 4 MiB. */
  omittedMessages: number
  /** The summary of the previous compaction. */
  previousSummary?: string
  /** The client's own prompt, if the request has one in place of messages: at most 4 MiB. */
  prompt?: string
  /** The files of these messages and of earlier summaries. */
  files: { readFiles: string[]; modifiedFiles: string[] }
  /** The output limit of the summary, in tokens. */
  maxTokens: number
  /** The settings of the request. */
  settings: Record<string, unknown>
  /** `preserveData` of the request or of the newest compaction as it came; absent above 256 KiB. */
  previousPreserveData?: Record<string, unknown>
  firstKeptEntryId?: string
  isSplitTurn?: boolean
  tokensBefore?: number
}

interface CompactionEvent<Name extends HookName> extends HookEvent<Name> {
  preparation: Preparation
  /** The instructions of the user, such as a focus. */
  customInstructions?: string
}

export type BeforeCompactEvent = CompactionEvent<'beforeCompact'>

export interface BeforeCompactResult {
  /** `true` refuses the compaction: the reply is 422 `compaction-cancelled`. */
  cancel?: boolean
  /** Why it is refused, for the client: at most 500 characters. */
  reason?: string
  /** The summary: no model is called, and `compacting` does not run. It is returned as it is. */
  summary?: string
  /** Data to preserve, as in `CompactingResult`; only with a summary. */
  preserveData?: Record<string, unknown>
}

export type CompactingEvent = CompactionEvent<'compacting'>

export interface CompactingResult {
  /** Lines for the additional context of the prompt. */
  context?: string[]
  /** Replaces the instructions of the prompt. */
  prompt?: string
  /** Fields for `preserveData` of the reply. They replace fields of the same name. */
  preserveData?: Record<string, unknown>
}

export interface AfterCompactEvent extends HookEvent<'afterCompact'> {
  summary: string
  /** As in the reply. */
  report: { model: string; strategy: string; durationMs: number; [field: string]: unknown }
  firstKeptEntryId?: string
  tokensBefore?: number
  tokensAfter?: number
  preserveData?: Record<string, unknown>
}

export interface BeforeBranchSummaryEvent extends HookEvent<'beforeBranchSummary'> {
  preparation: {
    /** The leaf to which the user moves, and the one that is left. */
    targetId: string | null
    oldLeafId: string | null
    commonAncestorId: string | null
    entryIds: string[]
  } & Pick<Preparation, 'messagesToSummarize' | 'omittedMessages' | 'files' | 'maxTokens' | 'settings'>
  customInstructions?: string
}

export interface BeforeBranchSummaryResult extends Pick<BeforeCompactResult, 'cancel' | 'reason' | 'summary'> {
  /** Replaces those of the request, and with them the instructions of the prompt. */
  customInstructions?: string
}

/** A message in the form of pi's `AgentMessage`. */
export type HookMessage =
  | { role: 'user' | 'custom' | 'other'; content: HookBlock[] }
  | { role: 'assistant'; content: HookBlock[]; stopReason?: string; errorMessage?: string; model?: string }
  | {
      role: 'toolResult'
      toolCallId: string
      toolName: string
      content: HookBlock[]
      isError: boolean
      exitCode?: number
    }
  | { role: 'bashExecution'; command: string; output: string; exitCode?: number; cancelled: boolean }
  | { role: 'branchSummary' | 'compactionSummary'; summary: string }

export type HookBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'toolCall'; id: string; name: string; arguments: unknown }
  | { type: 'image' }
