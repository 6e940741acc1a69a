import { SNAPSHOT_ACKNOWLEDGEMENT } from './parts.ts'
import { sha256 } from '../../session/hash-id.ts'
import { wrapSnapshot } from './append.ts'
import { wrapQwenSummary } from '../qwen/append.ts'
import type { Holds } from '../shared/fit-turn.ts'
import type { AssistantTurn, Call, WrittenTurn, UserPart } from '../shared/turns.ts'
import { joinTexts, modelOf, resultOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'

const GEMINI_HOLDS: Holds = {
  thinking: true,
  images: 'data',
  resultImages: false,
  errorMessages: false,
  toolErrors: true,
  exitCodes: 'failed',
}

/** A session of Gemini CLI (0.61.0), as it is after `/compress`: the summary, an answer to it, and the messages after it. */
export const geminiWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  holds: GEMINI_HOLDS,
  write(draft) {
    const startTime = draft.nextTime()
    const header = { sessionId: draft.newUuid(), projectHash: sha256(draft.cwd), startTime, lastUpdated: startTime }
    const snapshot = { text: wrapSnapshot(draft.summary) }
    const messages = [
      record(draft, 'user', [snapshot]),
      record(draft, 'gemini', [{ text: SNAPSHOT_ACKNOWLEDGEMENT }]),
      ...draft.turns.flatMap((turn) => recordsOf(draft, turn)),
    ]
    return toLines([{ ...header, kind: 'main' }, { $set: { messages, lastUpdated: draft.nextTime() } }])
  },
}

const record = (draft: NewSessionDraft, type: 'user' | 'gemini', content: object[]): object => ({
  id: draft.newUuid(),
  timestamp: draft.nextTime(),
  type,
  content,
})

function recordsOf(draft: NewSessionDraft, turn: WrittenTurn): object[] {
  if (turn.role === 'user') return [record(draft, 'user', turn.parts.map(userPart))]
  const results = responsesOf(turn)
  const thoughts = thinkingOf(turn).map((description) => ({ subject: '', description, timestamp: draft.nextTime() }))
  const answer = record(draft, 'gemini', answerParts(turn))
  return [
    { ...answer, ...(thoughts.length === 0 ? {} : { thoughts }), model: modelOf(turn) },
    ...(results.length === 0 ? [] : [record(draft, 'user', results)]),
  ]
}

/** A session of Qwen Code (0.24.4), as it is after `/compress`. */
export const qwenWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  holds: { ...GEMINI_HOLDS, exitCodes: 'all' },
  write(draft) {
    const common = { cwd: draft.cwd, version: '0.24.4' }
    const sessionId = draft.newUuid()
    let parentUuid: string | null = null
    return toLines(
      [compression(draft), ...draft.turns.flatMap(qwenLines)].map((line) => {
        const uuid = draft.newUuid()
        const full = { uuid, parentUuid, sessionId, timestamp: draft.nextTime(), ...common, ...line }
        parentUuid = uuid
        return full
      }),
    )
  },
}

function compression({ summary, facts }: NewSessionDraft): object {
  const info = { originalTokenCount: facts.tokensBefore, newTokenCount: 0, compressionStatus: 1 }
  const compressedHistory = [
    { role: 'user', parts: [{ text: wrapQwenSummary(summary) }] },
    { role: 'model', parts: [{ text: SNAPSHOT_ACKNOWLEDGEMENT }] },
  ]
  const systemPayload = { info, compressedHistory, completedToolCallIds: [] }
  return { type: 'system', provenance: 'system', subtype: 'chat_compression', systemPayload }
}

function qwenLines(turn: WrittenTurn): object[] {
  if (turn.role === 'user') {
    const provenance = turn.isClients ? 'system' : 'real_user'
    return [{ type: 'user', provenance, message: { role: 'user', parts: turn.parts.map(userPart) } }]
  }
  const thoughts = thinkingOf(turn).map((text) => ({ text, thought: true }))
  const message = { role: 'model', parts: [...thoughts, ...answerParts(turn)] }
  return [
    { type: 'assistant', provenance: 'assistant_output', model: modelOf(turn), message },
    ...turn.parts.flatMap((part) => (part.type === 'call' ? qwenResult(part) : [])),
  ]
}

function qwenResult(call: Call): object {
  const { isError, exitCode, parts } = resultOf(call)
  const resultDisplay = exitCode === undefined ? '' : { type: 'shell_result', exitCode, output: joinTexts(parts) }
  return {
    type: 'tool_result',
    provenance: 'tool_result',
    message: { role: 'user', parts: [responseOf(call, false)] },
    toolCallResult: { callId: call.id, status: isError ? 'error' : 'success', resultDisplay },
  }
}

const userPart = (part: UserPart): object =>
  'data' in part ? { inlineData: { mimeType: part.mimeType, data: part.data } } : { text: joinTexts([part]) }

const thinkingOf = ({ parts }: AssistantTurn): string[] =>
  parts.flatMap((part) => (part.type === 'thinking' ? part.thinking : []))

const answerParts = ({ parts }: AssistantTurn): object[] =>
  parts.flatMap((part): object[] => {
    if (part.type === 'thinking') return []
    return [part.type === 'text' ? { text: part.text } : { functionCall: callOf(part) }]
  })

const callOf = ({ id, name, input }: Call): object => ({ id, name, args: input })

const responsesOf = ({ parts }: AssistantTurn): object[] =>
  parts.flatMap((part) => (part.type === 'call' ? responseOf(part, true) : []))

/** Returns the result of a call. In Gemini CLI, its exit status is a line after the output. */
function responseOf(call: Call, hasExitLine: boolean): object {
  const { parts, isError, exitCode } = resultOf(call)
  const line = `Exit Code: ${exitCode}`
  const text = joinTexts(parts)
  const isMissing = hasExitLine && exitCode !== undefined && !text.includes(line)
  const output = isMissing ? `${text}\n${line}` : text
  const response = isError ? { error: output || '(no output)' } : { output }
  return { functionResponse: { id: call.id, name: call.name, response } }
}
