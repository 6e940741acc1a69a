import { CONTEXT_SUMMARY } from '../apis/cline-messages.ts'
import { copyTexts, replaceDocument, type PostedSession, type SessionAppender } from '../appender.ts'
import {
  copyText,
  elementText,
  emptyDocument,
  newestTime,
  readElement,
  splitAtCut,
  timeOfCompaction,
} from '../shared/elements.ts'

const OPEN_BRACE = 0x7b

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
export const clineAppender: SessionAppender<ClineMaterial> = {
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
export const clineLegacyAppender: SessionAppender<LegacyMaterial> = {
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
