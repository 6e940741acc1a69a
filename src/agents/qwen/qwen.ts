import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../apis/client-tags.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT } from '../apis/gemini-parts.ts'
import { answerParts, GEMINI_SUPPORT, responseOf, userPart } from '../apis/write-gemini.ts'
import { appendLines, copyTexts, lineStart, type PostedSession, type SessionAppender } from '../appender.ts'
import { ANY_FOLDER, JSON_LINES, UUID } from '../home.ts'
import { elementText, endOfChain, indexesOf, readElement } from '../shared/elements.ts'
import { rawField, rawItems } from '../shared/raw-json.ts'
import type { Call, WrittenTurn } from '../shared/turns.ts'
import { filled } from '../shared/values.ts'
import {
  joinTexts,
  modelOf,
  resultOf,
  thinkingOf,
  toLines,
  type NewSessionDraft,
  type SessionWriter,
} from '../writer.ts'
import { folderOfQwen, QWEN_TARGET } from './install-target.ts'
import { qwenReader } from './read.ts'

/** Fields that all lines of a session have. */
const COMMON = ['sessionId', 'cwd', 'version', 'gitBranch'] as const

interface QwenMaterial {
  start: '' | '\n'
  common: { [name in (typeof COMMON)[number]]?: string }
  /** The kept contents, as JSON. */
  contents: readonly string[]
  beginsWithAnswer: boolean
  /** The last line before the compaction. */
  lastId: string
}

/** Writes a compaction as Qwen Code does: a line `chat_compression` with the new history by value (0.24.4). */
const qwenAppender: SessionAppender<QwenMaterial> = {
  prepare(session) {
    const found = session.isLines ? findKept(session) : undefined
    return found && { start: lineStart(session), ...found }
  },

  write({ start, common, contents, beginsWithAnswer, lastId }, { summary, tokensBefore, tokensAfter, at, uuid }) {
    const content = (role: string, text: string): string => JSON.stringify({ role, parts: [{ text }] })
    const history = [
      content('user', wrapQwenSummary(summary)),
      ...(beginsWithAnswer ? [] : [content('model', SNAPSHOT_ACKNOWLEDGEMENT)]),
      ...contents,
    ]
    const line = JSON.stringify({
      ...{ uuid: uuid('compression'), parentUuid: lastId, ...common, timestamp: new Date(at).toISOString() },
      ...{ type: 'system', provenance: 'system', subtype: 'chat_compression' },
    })
    const info = JSON.stringify({
      ...{ originalTokenCount: tokensBefore, newTokenCount: tokensAfter, newTokenCountIsEstimated: true },
      ...{ compressionStatus: 1, triggerReason: 'manual', originalTokenCountIsEstimated: true },
    })
    const payload = `{"info":${info},"compressedHistory":[${history.join(',')}],"completedToolCallIds":[]}`
    return appendLines(start, [`${line.slice(0, -1)},"systemPayload":${payload}}`])
  },
}

const RESUME =
  'Resume the prior task using the summary above. Continue from the last in-flight step; do not acknowledge the summary, ' +
  'do not re-introduce, do not greet the user again.'

/** Returns a summary as Qwen Code writes it (0.24.4). */
const wrapQwenSummary = (summary: string): string => `<summary>\n${summary}\n</summary>\n\n${RESUME}`

function findKept(session: PostedSession): Omit<QwenMaterial, 'start'> | undefined {
  const { body, elements, kept } = session
  const [first] = kept
  const byIndex = new Map(elements.map((element) => [element.index, element]))
  const lines = indexesOf(kept).flatMap((index) => byIndex.get(index) ?? [])
  const contents = lines.flatMap((line) =>
    contentsOf(elementText(body, line), line.index === first.index ? (first.part ?? 0) : 0),
  )
  const last = lines.at(-1)
  if (last === undefined) return undefined
  return {
    common: copyTexts(readElement(body, last, COMMON), COMMON),
    contents,
    beginsWithAnswer: rawField(contents[0] ?? '{}', 'role') === '"model"',
    lastId: endOfChain(session, last),
  }
}

/** Returns the contents of a line: its message, or those that an earlier compaction has kept. */
function contentsOf(line: string, part: number): string[] {
  const history = rawField(line, 'systemPayload', 'compressedHistory')
  return history === undefined ? [rawField(line, 'message') ?? []].flat() : rawItems(history).slice(part)
}

/** A session of Qwen Code (0.24.4), as it is after `/compress`. */
const qwenWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: { ...GEMINI_SUPPORT, exitCodes: 'all' },
  write(draft) {
    const sessionId = draft.newUuid()
    let parentUuid: string | null = null
    return toLines(
      [compression(draft), ...draft.turns.flatMap(qwenLines)].map((line) => {
        const [uuid, timestamp] = [draft.newUuid(), draft.nextTime()]
        const full = { uuid, parentUuid, sessionId, timestamp, cwd: draft.cwd, version: '0.24.4', ...line }
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
  const thoughts = thinkingOf(turn.parts).map((text) => ({ text, thought: true }))
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
    ...{ type: 'tool_result', provenance: 'tool_result' },
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
