import { fieldsOf, isObject } from '../../session/entry.ts'
import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from '../../session/message-text.ts'
import type {
  AssistantMessage,
  BashExecutionMessage,
  ContentBlock,
  Message,
  ToolResultMessage,
} from '../../session/message.ts'
import { defined } from '../../text/defined.ts'

/** An image: base64 data, or an address. */
type ImagePart = { type: 'image'; mimeType: string; data: string } | { type: 'image'; url: string }

type TextPart = { type: 'text'; text: string }

export type UserPart = TextPart | ImagePart

export interface UserTurn {
  role: 'user'
  parts: UserPart[]
  /** Whether the client wrote it, not the user. */
  isClients: boolean
  /** The command that the user ran by hand, of which the parts are the text. */
  shell?: BashExecutionMessage
}

export interface Result {
  parts: UserPart[]
  isError: boolean
  exitCode?: number
  isPruned: boolean
}

export interface Call {
  type: 'call'
  /** Letters, digits, `_` and `-`, at most 64: the ids that all APIs accept. No two calls have the same id. */
  id: string
  name: string
  input: Record<string, unknown>
  result?: Result
}

export type AssistantPart = TextPart | { type: 'thinking'; thinking: string } | Call

export interface AssistantTurn extends Pick<AssistantMessage, 'model' | 'provider' | 'stopReason' | 'errorMessage'> {
  role: 'assistant'
  parts: AssistantPart[]
  hasUsage: boolean
}

export type WrittenTurn = UserTurn | AssistantTurn

interface TurnOptions {
  newId: () => string
  /** Counts content that no format can represent. */
  lose: (name: string) => void
}

/**
 * Returns messages with each call and its result in one place. A result without a call before it is left out.
 * @param kept whole messages, with the data of their images
 */
export function joinTurns(kept: readonly Message[], { newId, lose }: TurnOptions): WrittenTurn[] {
  const used = new Set<string>()
  /** The calls without a result, by their ids in the source: some local models use an id again in each turn. */
  const waiting = new Map<string, Call>()
  const turns: WrittenTurn[] = []
  for (const message of kept) {
    if (message.role === 'toolResult') {
      const call = waiting.get(message.toolCallId)
      waiting.delete(message.toolCallId)
      if (call === undefined) lose('resultsWithoutCall')
      else call.result = resultOf(message, partsOf(message.content))
    } else if (message.role === 'assistant') {
      const parts = message.content.flatMap((block) => assistantPart(block, { used, waiting, newId }))
      turns.push({ role: 'assistant', parts, hasUsage: message.usage !== undefined, ...factsOf(message) })
    } else {
      const turn = userTurn(message)
      if (turn.parts.length > 0) turns.push(turn)
    }
  }
  return turns
}

const resultOf = ({ isError, exitCode, isPruned }: ToolResultMessage, parts: UserPart[]): Result => ({
  parts,
  isError,
  isPruned,
  ...defined({ exitCode }),
})

const factsOf = ({ model, provider, stopReason, errorMessage }: AssistantMessage) =>
  defined({ model, provider, stopReason, errorMessage })

interface OpenCalls {
  used: Set<string>
  waiting: Map<string, Call>
  newId: () => string
}

const VALID_ID = /^[\w-]{1,64}$/

function assistantPart(block: ContentBlock, { used, waiting, newId }: OpenCalls): AssistantPart[] {
  if (block.type === 'image') return []
  if (block.type !== 'toolCall') return [block]
  const id = VALID_ID.test(block.id) && !used.has(block.id) ? block.id : `call_${newId()}`
  const name = block.name.slice(0, 64).replace(/[^\w-]/g, '_') || 'unknown'
  const values = block.arguments
  const input = isObject(values) && !Array.isArray(values) ? values : { input: values }
  const call: Call = { type: 'call', id, name, input }
  used.add(id)
  waiting.set(block.id, call)
  return [call]
}

function userTurn(message: Exclude<Message, { role: 'toolResult' | 'assistant' }>): UserTurn {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: partsOf(message.content), isClients: false }
    case 'bashExecution':
      return { role: 'user', parts: textParts(bashExecutionText(message)), isClients: true, shell: message }
    case 'branchSummary':
      return { role: 'user', parts: textParts(wrapBranchSummary(message.summary)), isClients: true }
    case 'compactionSummary':
      return { role: 'user', parts: textParts(wrapCompactionSummary(message.summary)), isClients: true }
    default:
      return { role: 'user', parts: partsOf(message.content), isClients: true }
  }
}

const textParts = (text: string): UserPart[] => [{ type: 'text', text }]

/** The place of an image without data. */
export const IMAGE_NOTE = '[image]'

/** Returns text and images. */
const partsOf = (content: readonly ContentBlock[]): UserPart[] =>
  content.flatMap((block): UserPart[] => {
    if (block.type === 'image') return [readImage(block.source)]
    return block.type === 'text' && block.text.trim() !== '' ? [block] : []
  })

const DATA_URL = /^data:(image\/[\w.+-]{1,40});base64,/

/** Returns an image; one without data has an empty address. */
function readImage(raw: Readonly<Record<string, unknown>> = {}): ImagePart {
  const { data, mimeType, image_url: address } = raw
  if (typeof data === 'string' && typeof mimeType === 'string') return { type: 'image', mimeType, data }
  const url = typeof address === 'string' ? address : fieldsOf(address)['url']
  if (typeof url !== 'string') return { type: 'image', url: '' }
  const [head = '', type = ''] = DATA_URL.exec(url) ?? []
  return head === '' ? { type: 'image', url } : { type: 'image', mimeType: type, data: url.slice(head.length) }
}
