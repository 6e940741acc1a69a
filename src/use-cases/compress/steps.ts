import type { Reply } from '../../jobs/protocol.ts'
import type { StoredCut } from '../../model/sharing/stored-summary.ts'
import type { ByteRange } from '../../session/entry.ts'

/** The work of a job of `POST /v1/compress`: the compressor has several for each request. */
export type CompressStep = ({ kind: 'survey' } & SurveyOptions) | ({ kind: 'summarize' } & PrefixSummary)

/** The tokens of the conversation as it came, and as it is returned. */
export interface CompressOutcome {
  tokensBefore: number
  tokensAfter: number
}

/** The facts beside the reply of the job that has read the conversation. */
export interface SurveyOutcome extends CompressOutcome {
  survey: CutSurvey
}

/** From this share of the limit on, a summary is prepared. */
export const PREPARE_SHARE = 0.8

/** A place where a conversation may be cut. */
export interface CutPoint {
  /** The position of the first message that stays. */
  at: number
  /** The hash of the caller, of the rules, and of the messages before it, without instructions: clients write the time into those. */
  key: string
  /** The tokens of the messages that stay, instructions included. */
  restTokens: number
  parts: CutParts
}

/** The parts of a reply with a summary, in the body of the job that has read the conversation. */
export interface CutParts {
  /** The instructions before the cut, with commas between them: they follow the whole reply. */
  instructions: { count: number; bytes: number }
  /** The messages that stay, in the whole reply. */
  kept: ByteRange
  /** The number of those without their middle. */
  shortened: number
}

/** The places where a conversation may be cut. */
export interface CutSurvey {
  limitTokens: number
  /** The tokens of the conversation if it is returned whole, with shortened messages where it exceeds its limit. */
  wholeTokens: number
  /** The length of that reply: more may follow it in the body of the job. */
  wholeBytes: number
  /** The name that the client has given to its session. */
  sessionId?: string
  /** The oldest first; none below 80 % of the limit. */
  points: CutPoint[]
  /** Where the next cut will be; undefined if no cut leaves room for a summary. */
  planned?: CutPoint
}

export interface SurveyOptions {
  /** The limit of a request that sets none. */
  limitTokens: number
  tokenDigest: string
  /** The rules for summaries in this service, as hashes: its own prompts and hooks. Empty without them. */
  rules: string
  isBypassed: boolean
}

/** The beginning of a conversation that is to be summarized. */
export interface PrefixSummary {
  limitTokens: number
  /** The first message that stays. */
  at: number
  /** An earlier summary, which is updated. */
  from?: EarlierSummary | undefined
}

/** A summary that replaces the messages before a position. */
export interface EarlierSummary {
  at: number
  summary: string
}

/** The summary of a beginning, as the store of cuts has it. */
export type PrefixReply = Omit<StoredCut, 'state'>

/** Returns the summary in the reply of a job. */
export function readCut({ body }: Reply): StoredCut {
  const { summary, tokens, model } = JSON.parse(body.toString()) as PrefixReply
  return { state: 'ready', summary, tokens, model }
}
