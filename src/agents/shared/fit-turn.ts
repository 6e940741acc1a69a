import { IMAGE_NOTE, type AssistantPart, type Call, type WrittenTurn, type UserPart } from './turns.ts'

/** The kinds of content that a format can represent. All others are left out, and counted. */
export interface ContentSupport {
  thinking: boolean
  /** Images of the user: with data or an address, only with data, or none. */
  images: 'any' | 'data' | 'none'
  resultImages: boolean
  /** The error with which an answer ended. */
  errorMessages: boolean
  toolErrors: boolean
  /** Exit statuses: of all commands, only of failed ones (as a line of the output), or of none. */
  exitCodes: 'all' | 'failed' | 'none'
}

/** What a format supports that can represent everything. */
export const ALL_CONTENT: ContentSupport = {
  ...{ thinking: true, images: 'any', resultImages: true, errorMessages: true, toolErrors: true, exitCodes: 'all' },
}

/** Without reasoning, which is valid only with the signature, or the encrypted content, of its provider. */
export const API_SUPPORT: ContentSupport = {
  ...ALL_CONTENT,
  ...{ thinking: false, errorMessages: false, exitCodes: 'failed' },
}

type Lose = (name: string) => void

/** Returns a list of one turn, without the content that the format cannot represent; an empty list if no content remains. */
export function fitTurn(turn: WrittenTurn, supports: ContentSupport, lose: Lose): WrittenTurn[] {
  if (turn.role === 'user') return [{ ...turn, parts: turn.parts.map((part) => fitPart(part, supports.images, lose)) }]
  if (turn.hasUsage) lose('usage')
  const parts = turn.parts.flatMap((part): AssistantPart[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [part]
    if (part.type === 'call') return [fitCall(part, supports, lose)]
    if (!supports.thinking) lose('thinking')
    return supports.thinking ? [part] : []
  })
  const { errorMessage, ...rest } = turn
  const isFailed = errorMessage !== undefined
  if (isFailed && !supports.errorMessages) lose('errorMessages')
  const hasError = isFailed && supports.errorMessages
  return parts.length > 0 || hasError ? [{ ...rest, parts, ...(hasError ? { errorMessage } : {}) }] : []
}

function fitCall(call: Call, supports: ContentSupport, lose: Lose): Call {
  if (call.result === undefined) return call
  const { exitCode, ...result } = call.result
  const images = supports.resultImages ? supports.images : 'none'
  const parts = result.parts.map((part) => fitPart(part, images, lose))
  if (result.isError && !supports.toolErrors) lose('toolErrors')
  if (exitCode === undefined) return { ...call, result: { ...result, parts } }
  const isHeld = supports.exitCodes === 'all' || (supports.exitCodes === 'failed' && result.isError && exitCode !== 0)
  if (!isHeld && exitCode !== 0) lose('exitCodes')
  return { ...call, result: { ...result, parts, ...(isHeld ? { exitCode } : {}) } }
}

function fitPart(part: UserPart, images: ContentSupport['images'], lose: Lose): UserPart {
  if (part.type === 'text') return part
  const isHeld = 'data' in part ? images !== 'none' : images === 'any' && /^https?:/.test(part.url)
  if (isHeld) return part
  lose('images')
  return { type: 'text', text: IMAGE_NOTE }
}
