import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../apis/client-tags.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../apis/gemini-parts.ts'
import { answerParts, GEMINI_SUPPORT, responseOf, thinkingOf, userPart } from '../apis/write-gemini.ts'
import { ANY_FOLDER, JSON_LINES, UUID } from '../home.ts'
import type { Call, WrittenTurn } from '../shared/turns.ts'
import { filled } from '../shared/values.ts'
import { joinTexts, modelOf, resultOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'
import { qwenAppender, wrapQwenSummary } from './append.ts'
import { folderOfQwen, QWEN_TARGET } from './install-target.ts'
import { qwenReader } from './read.ts'

/** A session of Qwen Code (0.24.4), as it is after `/compress`. */
const qwenWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: { ...GEMINI_SUPPORT, exitCodes: 'all' },
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

/** Qwen Code, which began as a copy of Gemini CLI. */
export const QWEN = {
  id: 'qwen',
  reader: qwenReader,
  appender: qwenAppender,
  writer: qwenWriter,
  tags: GEMINI_TAGS,
  folderIn: ({ cwd }) => cwd,
  homes: [
    {
      id: 'qwen',
      name: 'Qwen Code',
      root: (machine) => join(filled(machine.env['QWEN_RUNTIME_DIR']) ?? folderOfQwen(machine), 'projects'),
      levels: [ANY_FOLDER, /^chats$/, JSON_LINES],
      resume: {
        id: UUID,
        idIn: ({ sessionId }) => sessionId,
        place: (id) => join('PROJECT', 'chats', `${id}.jsonl`),
        command: (id) => `qwen --resume ${id}`,
      },
      // 0.24.4: the variable is set when the agent starts.
      mcpClient: { name: /^qwen\b/, ownSession: ({ env }) => ({ id: env['QWEN_CODE_SESSION_ID'] }) },
    },
  ],
  installTargets: [QWEN_TARGET],
} satisfies Agent
