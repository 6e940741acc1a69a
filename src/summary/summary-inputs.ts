import type { ToolRuns } from '../extract/runs.ts'
import type { SessionWork } from '../extract/work-item.ts'
import type { Message } from '../session/message.ts'
import type { Evidence } from './evidence.ts'
import type { Summary } from './summary.ts'
import type { UserMessages } from './user-messages.ts'

/** The content that a summary is made from, without secrets. */
export interface SummaryInputs {
  /** The summarized messages, oldest first. */
  history: readonly Message[]
  turnPrefix: readonly Message[]
  /** The messages that stay. */
  kept: readonly Message[]
  runs: ToolRuns
  /** The requests, tasks and steps of the summarized messages. */
  work?: SessionWork
  /** The newest request before the span: it is still the current one if the user has not asked for anything since. */
  earlierRequest?: string | undefined
  /** The previous summary without its file tags and the sections that code wrote. */
  previousSummary?: Summary | undefined
  evidence: Evidence
  /** The messages of the user that the previous summary quotes. */
  userMessages: UserMessages
  /** The texts of messages of the user that stay beside the summary: the section of them leaves these out. */
  retainedTexts?: readonly string[]
  /** False for a form without sections. */
  hasSections: boolean
  /** Output limit of the summary, in tokens. */
  limitTokens: number
}
