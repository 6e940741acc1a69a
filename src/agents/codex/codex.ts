import { join } from 'node:path'
import { fieldsOf, type SourceElement } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { CODEX_TAGS } from '../apis/client-tags.ts'
import { itemsOf, userItem } from '../apis/write-responses.ts'
import { appendLines, lineStart, type SessionAppender } from '../appender.ts'
import { ANY_FOLDER, UUID } from '../home.ts'
import { elementText, partReader, readElement, splitAtCut } from '../shared/elements.ts'
import { API_SUPPORT } from '../shared/fit-turn.ts'
import { rawField } from '../shared/raw-json.ts'
import { nameOf } from '../shared/session-file.ts'
import type { WrittenTurn } from '../shared/turns.ts'
import { filled, type Fields } from '../shared/values.ts'
import { joinTexts, toLines, type SessionWriter } from '../writer.ts'
import { SUMMARY_LEAD, SUMMARY_LEAD_END, SUMMARY_PREFIX } from './history-summary.ts'
import { CODEX_TARGET, folderOfCodex } from './install-target.ts'
import { codexReader } from './read.ts'

interface CodexMaterial {
  start: '' | '\n'
  /** The number of the new line, in rollouts whose lines have one (0.169). */
  ordinal?: number
  /** The kept items, as JSON. */
  items: readonly string[]
}

/**
 * Writes a compaction as Codex does for servers without a compaction of their own: a line `compacted` with the new history by value
 * (0.120 and 0.169). Codex adds its instructions and its environment again. Bare rollouts of 2025 have no such line.
 */
const codexAppender: SessionAppender<CodexMaterial> = {
  prepare(session) {
    const { body, isLines, places } = session
    const last = isLines ? places.at(-1) : undefined
    if (last === undefined || !isEnvelope(body.toString('utf8', last.range.start, last.range.end))) return undefined
    const { ordinal } = readElement(body, last, ['ordinal'])
    const isNumbered = typeof ordinal === 'number' && Number.isSafeInteger(ordinal)
    // Codex adds its instructions again.
    const kept = splitAtCut(session).kept.filter(({ kind }) => kind !== 'instruction')
    return {
      start: lineStart(session),
      items: kept.map(itemReader(body)).filter((item) => item.startsWith('{')),
      ...(isNumbered ? { ordinal: ordinal + 1 } : {}),
    }
  },

  write({ start, ordinal, items }, { summary, at }) {
    const content = [{ type: 'input_text', text: SUMMARY_PREFIX + summary }]
    const history = [JSON.stringify({ type: 'message', role: 'user', content }), ...items]
    const line = JSON.stringify({
      timestamp: new Date(at).toISOString(),
      ...(ordinal === undefined ? {} : { ordinal }),
      type: 'compacted',
      payload: { message: summary },
    })
    return appendLines(start, [`${line.slice(0, -2)},"replacement_history":[${history.join(',')}]}}`])
  },
}

/**
 * Returns a function that returns an item as JSON: that of a line, or one in the history of a compaction; '' for a line without one,
 * which Codex cannot have read either.
 */
function itemReader(body: Buffer): (element: SourceElement) => string {
  const inHistory = partReader(body, (line) => rawField(line, 'payload', 'replacement_history'))
  // A message that a compaction of 2025 has taken over is on a line of its own.
  return (element) =>
    (element.part === undefined ? '' : inHistory(element)) || (rawField(elementText(body, element), 'payload') ?? '')
}

const isEnvelope = (line: string): boolean =>
  rawField(line, 'type')?.startsWith('"') === true && /^[[{]/.test(rawField(line, 'payload') ?? '')

/** A rollout of Codex: a header, a compaction whose history is the summary, and the items after it. */
const codexWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: API_SUPPORT,
  write(draft) {
    const text = SUMMARY_PREFIX + draft.summary
    const timestamp = draft.nextTime()
    const header = {
      id: draft.newUuid(),
      timestamp,
      cwd: draft.cwd,
      originator: 'precis',
      cli_version: '0.169.0',
      source: 'cli',
      model_provider: 'openai',
    }
    const line = (type: string, payload: object): object => ({ timestamp: draft.nextTime(), type, payload })
    return toLines([
      { timestamp, type: 'session_meta', payload: header },
      line('compacted', { message: text, replacement_history: [userItem(text)] }),
      ...draft.turns.flatMap((turn) => [
        ...itemsOf(turn).map((item) => line('response_item', item)),
        ...eventsOf(turn).map((event) => line('event_msg', event)),
      ]),
    ])
  },
}

/** Codex lists only sessions with an event of the user, and shows events, not items. */
function eventsOf(turn: WrittenTurn): object[] {
  const message = joinTexts(turn.parts)
  if (message === '') return []
  if (turn.role === 'user') return turn.isClients ? [] : [{ type: 'user_message', message, images: [] }]
  return [{ type: 'agent_message', message }]
}

/** Returns the fields of the first line of a session; none for other lines. */
const headerOf = ({ type, payload }: Fields): Fields => fieldsOf(type === 'session_meta' ? payload : undefined)

export const CODEX = {
  id: 'codex',
  reader: codexReader,
  appender: codexAppender,
  writer: codexWriter,
  tags: CODEX_TAGS,
  summaryMessages: [{ start: SUMMARY_LEAD, after: SUMMARY_LEAD_END }],
  withOutput(line, callId, text) {
    const payload = fieldsOf(line['payload'])
    return payload['call_id'] === callId ? { ...line, payload: { ...payload, output: text } } : undefined
  },
  // A turn may have another one than the session.
  folderIn: ({ type, payload }) =>
    type === 'session_meta' || type === 'turn_context' ? fieldsOf(payload)['cwd'] : undefined,
  homes: [
    {
      id: 'codex',
      name: 'Codex',
      root: (machine) => join(folderOfCodex(machine), 'sessions'),
      levels: [ANY_FOLDER, ANY_FOLDER, ANY_FOLDER, /^rollout-.*\.jsonl$/],
      // rollout-TIME-UUID.jsonl
      idOf: (path) => nameOf(path).slice(-36),
      resume: {
        id: UUID,
        idIn: (line) => headerOf(line)['id'],
        place: (id) => join('YEAR', 'MONTH', 'DAY', `rollout-TIME-${id}.jsonl`),
        command: (id) => `codex resume ${id}`,
      },
      // 0.169.0
      mcpClient: { name: /^codex\b/, ownSession: ({ meta }) => ({ id: filled(meta['threadId']), isCurrent: true }) },
    },
  ],
  installTargets: [CODEX_TARGET],
} satisfies Agent
