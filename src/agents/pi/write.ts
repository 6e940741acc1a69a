import { ALL_CONTENT } from '../shared/fit-turn.ts'
import type { AssistantTurn, Call, WrittenTurn, UserPart } from '../shared/turns.ts'
import { joinTexts, modelOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'

/** A session of pi (version 3), also for oh-my-pi: a compaction, and the messages after it. */
export const piWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: { ...ALL_CONTENT, images: 'data' },
  write(draft) {
    const header = { type: 'session', version: 3, id: draft.newUuid(), timestamp: draft.nextTime(), cwd: draft.cwd }
    const entries = [compactionOf(draft), ...draft.turns.flatMap((turn) => entriesOf(draft, turn))]
    let parentId: string | null = null
    return toLines([
      header,
      ...entries.map((entry) => {
        const id = draft.newId().slice(0, 8)
        const full = { ...entry, id, parentId, timestamp: draft.nextTime() }
        parentId = id
        return full
      }),
    ])
  },
}

/** Returns the compaction. It names no first kept entry: the new session has no entries before the compaction. */
const compactionOf = ({ summary, facts }: NewSessionDraft): object => ({
  type: 'compaction',
  summary,
  firstKeptEntryId: '',
  tokensBefore: facts.tokensBefore,
  details: facts.files,
})

function entriesOf(draft: NewSessionDraft, turn: WrittenTurn): object[] {
  const timestamp = draft.nextMs()
  const message = (fields: object): object => ({ type: 'message', message: { ...fields, timestamp } })
  if (turn.role === 'assistant')
    return [
      message(answerOf(turn)),
      ...turn.parts.flatMap((part) => {
        const result = part.type === 'call' ? resultMessage(part, timestamp) : undefined
        return result === undefined ? [] : [message(result)]
      }),
    ]
  if (turn.shell !== undefined) return [message(turn.shell)]
  const content = turn.parts.map(piPart)
  if (turn.isClients) return [{ type: 'custom_message', customType: 'precis', content, display: true }]
  return [message({ role: 'user', content })]
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

/** Zeros: with the size of the old context, the client would compact again. */
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST }

function answerOf(turn: AssistantTurn): object {
  const { parts, stopReason, errorMessage } = turn
  const content = parts.map((part) => {
    if (part.type !== 'call') return part
    return { type: 'toolCall', id: part.id, name: part.name, arguments: part.input }
  })
  const hasCalls = parts.some(({ type }) => type === 'call')
  return {
    role: 'assistant',
    content,
    api: 'unknown',
    provider: turn.provider ?? 'unknown',
    model: modelOf(turn),
    usage: NO_USAGE,
    stopReason: stopReason ?? (hasCalls ? 'toolUse' : 'stop'),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  }
}

const piPart = (part: UserPart): object =>
  'data' in part
    ? { type: 'image', data: part.data, mimeType: part.mimeType }
    : { type: 'text', text: joinTexts([part]) }

/** Returns the result of a call; undefined if it has none. */
function resultMessage({ id, name, result }: Call, now: number): object | undefined {
  if (result === undefined) return undefined
  const { parts, isError, exitCode, isPruned } = result
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: parts.map(piPart),
    isError,
    ...(exitCode === undefined ? {} : { details: { exitCode } }),
    ...(isPruned ? { prunedAt: now } : {}),
  }
}
