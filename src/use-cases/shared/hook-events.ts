import type { PlanFacts } from '../../jobs/protocol.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type {
  AfterCompactEvent,
  BeforeBranchSummaryEvent,
  BeforeCompactEvent,
  Preparation,
} from '../../schemas/hooks.ts'
import { fieldsOf } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { defined } from '../../text/defined.ts'
import { firstThatFit } from '../../text/that-fit.ts'
import type { PipelineResult, Material } from './pipeline.ts'

/** The request that hooks are asked about. */
export interface HookRequest {
  /** The path of the route. */
  route: string
  requestId: string
  format?: string
}

/** More of a session would make a hook slow: reading 4 MiB of JSON takes some 20 ms. */
const MAX_EVENT_BYTES = 4_194_304

type EventOf<Event> = Omit<Event, 'type'>

interface EventDetails {
  request: HookRequest
  /** The fields of the request, as its pipeline gets them. */
  posted: unknown
  planFacts?: PlanFacts | undefined
}

/** Returns the event of the hooks before a summary as JSON, without its type. */
export const writeEventBefore = (
  material: Material,
  { isBranch, ...details }: EventDetails & { isBranch: boolean },
): Buffer => (isBranch ? writeBranchEvent(material, details) : writeCompactEvent(material, details))

/** Returns the event of `beforeCompact` and `compacting` as JSON, without its type. */
function writeCompactEvent(
  { assignments, guidance, files = NO_FILES, inputs, ...material }: Material,
  { request, posted, planFacts }: EventDetails,
): Buffer {
  const { history, turnPrefix } = splitTurn(assignments, inputs)
  const older = messagesOf(history)
  const { messages, omitted } = newestOf([...older, ...messagesOf(turnPrefix)])
  const turnStart = Math.max(0, older.length - omitted)
  const prompt = history?.source.form === 'prompt' ? history.source.prompt : undefined
  const preparation: Preparation = defined({
    messagesToSummarize: messages.slice(0, turnStart),
    turnPrefixMessages: messages.slice(turnStart),
    omittedMessages: omitted,
    previousSummary: guidance.previousSummary,
    prompt: prompt === undefined || prompt.length > MAX_EVENT_BYTES ? undefined : prompt,
    files,
    maxTokens: (history ?? turnPrefix)?.maxTokens ?? 0,
    settings: settingsOf(posted),
    ...previousData(material),
    ...planFacts,
  })
  // A client's own instructions of a chat replace ours; those of a session are a focus.
  const customInstructions = guidance.customInstructions ?? guidance.promptOverride
  const event: EventOf<BeforeCompactEvent> = defined({ ...request, customInstructions, preparation })
  return Buffer.from(JSON.stringify(event))
}

/** Returns what is to be written by region: the beginning of a turn that nothing comes before is written as a history. */
function splitTurn(assignments: Material['assignments'], inputs: Material['inputs']): Material['assignments'] {
  const { history, turnPrefix } = assignments
  const isPrefix = history !== undefined && turnPrefix === undefined && inputs?.history.length === 0
  return isPrefix && inputs.turnPrefix.length > 0 ? { turnPrefix: history } : assignments
}

/** Returns the event of `beforeBranchSummary` as JSON, without its type. */
function writeBranchEvent(
  material: Material & { commonAncestorId?: string | null; entryIds?: string[] },
  { request, posted }: EventDetails,
): Buffer {
  const { assignments, guidance, files = NO_FILES, commonAncestorId = null, entryIds = [] } = material
  const { messages, omitted } = newestOf(messagesOf(assignments.history))
  const { targetId, fromId } = fieldsOf(fieldsOf(posted)['fields'])
  const event: EventOf<BeforeBranchSummaryEvent> = {
    ...request,
    ...(guidance.promptOverride ? { customInstructions: guidance.promptOverride } : {}),
    preparation: {
      targetId: typeof targetId === 'string' ? targetId : null,
      oldLeafId: typeof fromId === 'string' ? fromId : null,
      commonAncestorId,
      entryIds,
      messagesToSummarize: messages,
      omittedMessages: omitted,
      files,
      maxTokens: assignments.history?.maxTokens ?? 0,
      settings: settingsOf(posted),
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** Returns the event of `afterCompact` as JSON, without its type. */
export function writeAfterEvent({ reply, reported, summary }: PipelineResult, request: HookRequest): Buffer {
  const { firstKeptEntryId, preserveData } = fieldsOf(reply)
  const { report, tokensBefore, tokensAfter } = reported
  const event: EventOf<AfterCompactEvent> = defined({
    ...{ ...request, summary, report },
    firstKeptEntryId: typeof firstKeptEntryId === 'string' ? firstKeptEntryId : undefined,
    ...{ tokensBefore, tokensAfter },
    preserveData: preserveData === undefined ? undefined : fieldsOf(preserveData),
  })
  return Buffer.from(JSON.stringify(event))
}

/** Agents store images there too. */
const MAX_DATA_CHARACTERS = 262_144

function previousData(material: object): Pick<Preparation, 'previousPreserveData'> {
  const { preserveData } = fieldsOf(material)
  const isSmall = preserveData !== undefined && JSON.stringify(preserveData).length <= MAX_DATA_CHARACTERS
  return isSmall ? { previousPreserveData: fieldsOf(preserveData) } : {}
}

const NO_FILES = { readFiles: [], modifiedFiles: [] }

const messagesOf = (assignment: Assignment | undefined): readonly Message[] =>
  assignment?.source.form === 'messages' ? assignment.source.messages : []

/** Returns the newest messages that fit together, in their order, and how many older ones do not. */
function newestOf(messages: readonly Message[]): { messages: Message[]; omitted: number } {
  const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message)) + 1
  const newest = firstThatFit(messages.toReversed(), MAX_EVENT_BYTES, bytesOf).reverse()
  return { messages: newest, omitted: messages.length - newest.length }
}

/** The fields of a session are beside it. */
function settingsOf(posted: unknown): Readonly<Record<string, unknown>> {
  const request = fieldsOf(posted)
  return fieldsOf(fieldsOf(request['fields'] ?? request)['settings'])
}
