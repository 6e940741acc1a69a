import { ALL_CONTENT, type ContentSupport } from '../shared/fit-turn.ts'
import type { AssistantTurn, Call, UserPart } from '../shared/turns.ts'
import { joinTexts, resultOf } from '../writer.ts'

export const GEMINI_SUPPORT: ContentSupport = {
  ...ALL_CONTENT,
  ...{ images: 'data', resultImages: false, errorMessages: false, exitCodes: 'failed' },
}

export const userPart = (part: UserPart): object =>
  'data' in part ? { inlineData: { mimeType: part.mimeType, data: part.data } } : { text: joinTexts([part]) }

export const answerParts = ({ parts }: AssistantTurn): object[] =>
  parts.flatMap((part): object[] => {
    if (part.type === 'thinking') return []
    return [part.type === 'text' ? { text: part.text } : { functionCall: callOf(part) }]
  })

const callOf = ({ id, name, input }: Call): object => ({ id, name, args: input })

/** Returns the result of a call. In Gemini CLI, its exit status is a line after the output. */
export function responseOf(call: Call, hasExitLine: boolean): object {
  const { parts, isError, exitCode } = resultOf(call)
  const line = `Exit Code: ${exitCode}`
  const text = joinTexts(parts)
  const isMissing = hasExitLine && exitCode !== undefined && !text.includes(line)
  const output = isMissing ? `${text}\n${line}` : text
  const response = isError ? { error: output || '(no output)' } : { output }
  return { functionResponse: { id: call.id, name: call.name, response } }
}
