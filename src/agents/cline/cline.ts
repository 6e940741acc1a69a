import type { Agent } from '../agent.ts'
import { MessagesReader } from '../apis/anthropic.ts'
import { CONTEXT_SUMMARY, isClineMessage, isLegacyMessage } from '../apis/cline-messages.ts'
import { copyTexts, replaceDocument, type PostedSession, type SessionAppender } from '../appender.ts'
import { describeMessage, timeFact, type SessionReader } from '../reader.ts'
import {
  copyText,
  elementText,
  emptyDocument,
  newestTime,
  readElement,
  splitAtCut,
  timeOfCompaction,
} from '../shared/elements.ts'
import { OPEN_BRACE } from '../../text/json-scan.ts'
import { CLINE_FORM } from './answers.ts'
import { CLINE_HOME, TASK_HOMES } from './home.ts'
import { CLINE_TARGET, KILO_TARGET, ROO_TARGET } from './install-target.ts'
import { LegacyReader } from './legacy.ts'

const clineReader: SessionReader = {
  detect: ({ values }) => values.some(isClineMessage),
  describe: (message) => ({ ...describeMessage(message), ...timeFact(message['ts']) }),
  open: (sink) => new MessagesReader(sink, CLINE_FORM),
}

const clineLegacyReader: SessionReader = {
  detect: ({ values }) => values.some(isLegacyMessage),
  describe: (message) => ({ ...describeMessage(message), isCovered: message['condenseParent'] !== undefined }),
  open: (sink) => new LegacyReader(new MessagesReader(sink, CLINE_FORM)),
}

interface ClineMaterial {
  /** The fields of the file that describe the messages that it was made from. */
  source: object
  /** The kept messages, as JSON. */
  messages: readonly string[]
  /** The newest time of a kept message. */
  newestMs?: number
}

/**
 * Writes the file that Cline stores beside a session's messages, which stay whole (`SessionCompactionState`, 3.0.65). Cline finds
 * the messages that it covers by their number and the key of the last one.
 */
const clineAppender: SessionAppender<ClineMaterial> = {
  isBeside: true,

  prepare(session) {
    if (session.isLines || !session.isWhole) return undefined
    const kept = session.places.slice(session.kept[0].index)
    const messages = kept.map((element) => elementText(session.body, element))
    const newestMs = newestTime(kept)
    const source = sourceOf(session)
    return source && { source, messages, ...(newestMs !== undefined && { newestMs }) }
  },

  write({ source, messages, newestMs }, { summary, details, tokensBefore, at, uuid }) {
    const metadata = {
      ...{ kind: 'compaction_summary', displayRole: 'system', summary, details, tokensBefore, generatedAt: at },
    }
    const content = [{ type: 'text', text: `${CONTEXT_SUMMARY}\n\n${summary}` }]
    const message = JSON.stringify({
      ...{ id: `msg_${uuid('summary').slice(0, 8)}`, role: 'user', content },
      ...{ ts: timeOfCompaction(at, newestMs), metadata },
    })
    const state = JSON.stringify({ version: 1, updated_at: new Date(at).toISOString(), ...source })
    const body = `${state.slice(0, -1)},"messages":[${[message, ...messages].join(',')}]}`
    return { mode: 'sidecar', contentType: 'application/json', body }
  },
}

/** Returns the fields that describe the source of a session. A compacted copy keeps those that it has. */
function sourceOf(session: PostedSession): object | undefined {
  const document = emptyDocument(session)
  const { source_message_count: count } = document
  const prompt = copyTexts(document, ['system_prompt'])
  if (typeof count === 'number')
    return {
      source_message_count: count,
      ...copyTexts(document, ['source_prefix_hash', 'source_last_message_key']),
      ...prompt,
    }
  const { body, places } = session
  const last = Array.isArray(document['messages']) ? places.at(-1) : undefined
  const key = last && keyOf(readElement(body, last, ['id', 'role', 'ts']))
  return key === undefined ? undefined : { source_message_count: places.length, source_last_message_key: key }
}

/** Returns the key of a message, as Cline makes it; undefined for one without an id and a time. */
function keyOf({ id, role, ts }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id === 'string' && id.trim() !== '') return `id:${id.trim()}`
  return typeof ts === 'number' && typeof role === 'string' ? `ts:${role}:${ts}` : undefined
}

interface LegacyMaterial {
  /** The text up to the end of each covered message, before its closing brace. */
  covered: readonly string[]
  /** The text after it, up to the kept messages. */
  between: string
  /** The text from the kept messages on. */
  rest: string
}

/**
 * Writes a compaction as Roo Code and Kilo Code do: the covered messages name the summary (`condenseParent`), which is
 * before the kept ones (Roo Code at cb83656).
 */
const clineLegacyAppender: SessionAppender<LegacyMaterial> = {
  prepare(session) {
    const { body, isLines, isWhole } = session
    if (isLines || !isWhole) return undefined
    const { before, kept } = splitAtCut(session)
    const [first] = kept
    if (first === undefined) return undefined
    const parts: string[] = []
    let from = 0
    for (const element of before) {
      const { start, end } = element.range
      if (body[start] !== OPEN_BRACE || element.isCovered === true) continue
      const isEmpty = !body.subarray(start, end).includes('"')
      parts.push(copyText(body, { start: from, end: end - 1 }) + (isEmpty ? '' : ','))
      from = end - 1
    }
    const { start } = first.range
    const between = copyText(body, { start: from, end: start })
    return { covered: parts, between, rest: copyText(body, { start }) }
  },

  write({ covered, between, rest }, { summary, at, uuid }) {
    const condenseId = uuid('condense')
    const content = [{ type: 'text', text: summary }]
    const message = JSON.stringify({ role: 'user', content, ts: at, isSummary: true, condenseId })
    const marked = covered.map((text) => `${text}"condenseParent":"${condenseId}"`)
    return replaceDocument(`${marked.join('')}${between}${message},${rest}`)
  },
}

/** The tags by which Cline recognizes text that it has written itself (November 2026). */
const TAGS = [
  ...['user_input', 'task', 'feedback', 'user_message', 'environment_details', 'SYSTEM_NOTICE', 'new_task'],
  ...['file_content', 'explicit_instructions', 'user_feedback'],
]

/** Sessions of Cline's SDK format (CLI 3.x), and their compacted copies. */
export const CLINE: Agent = {
  id: 'cline',
  reader: clineReader,
  appender: clineAppender,
  tags: TAGS,
  summaryMessages: [{ start: `${CONTEXT_SUMMARY}\n` }],
  homes: [CLINE_HOME],
  installTargets: [CLINE_TARGET],
}

/** `api_conversation_history.json` of Cline, Roo and Kilo: Anthropic's messages with a time. */
export const CLINE_LEGACY: Agent = {
  id: 'cline-legacy',
  reader: clineLegacyReader,
  appender: clineLegacyAppender,
  tags: TAGS,
  homes: TASK_HOMES,
  installTargets: [ROO_TARGET, KILO_TARGET],
  continueWith: ({ homeName = 'the extension' }) => ({
    sentence: `Continue in ${homeName}: open the task from its history.`,
  }),
}
