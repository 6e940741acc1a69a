import { sha256 } from '../../session/hash-id.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT, wrapSnapshot } from '../apis/gemini-parts.ts'
import { answerParts, GEMINI_SUPPORT, responseOf, thinkingOf, userPart } from '../apis/write-gemini.ts'
import type { AssistantTurn, WrittenTurn } from '../shared/turns.ts'
import { modelOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'

/** A session of Gemini CLI (0.61.0), as it is after `/compress`: the summary, an answer to it, and the messages after it. */
export const geminiWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: GEMINI_SUPPORT,
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

const responsesOf = ({ parts }: AssistantTurn): object[] =>
  parts.flatMap((part) => (part.type === 'call' ? responseOf(part, true) : []))
