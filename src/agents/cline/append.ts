import { fieldsOf, isObject } from '../../session/entry.ts'
import { timeOfCompaction } from '../../session/kept-answers.ts'
import { copyTexts, type SessionAppender, type PostedSession } from '../appender.ts'
import { rawDocument } from '../shared/raw-json.ts'

const CONTENT_TYPE = 'application/json'

interface ClineMaterial {
  /** The fields of the file that describe the messages that it was made from. */
  source: object
  /** The kept messages, as JSON. */
  messages: readonly string[]
}

/**
 * Writes the file that Cline stores beside a session's messages, which stay whole (`SessionCompactionState`, 3.0.65). Cline finds
 * the messages that it covers by their number and the key of the last one.
 */
export const clineAppender: SessionAppender<ClineMaterial> = {
  prepare(session) {
    if (session.isLines || !session.isWhole) return undefined
    const messages = keptItems(session)
    const source = sourceOf(session)
    return source && { source, messages }
  },

  write({ source, messages }, { summary, details, tokensBefore, at, uuid }) {
    const metadata = {
      ...{ kind: 'compaction_summary', displayRole: 'system', summary, details, tokensBefore, generatedAt: at },
    }
    const content = [{ type: 'text', text: `Context summary:\n\n${summary}` }]
    const times = messages.map((kept) => fieldsOf(JSON.parse(kept))['ts'])
    const message = JSON.stringify({
      ...{ id: `msg_${uuid('summary').slice(0, 8)}`, role: 'user', content },
      ...{ ts: timeOfCompaction(at, times), metadata },
    })
    const state = JSON.stringify({ version: 1, updated_at: new Date(at).toISOString(), ...source })
    const body = `${state.slice(0, -1)},"messages":[${[message, ...messages].join(',')}]}`
    return { mode: 'sidecar', contentType: CONTENT_TYPE, body }
  },
}

const keptItems = ({ body, kept }: PostedSession): string[] => {
  const { text, items } = rawDocument(body)
  return items.slice(kept[0].index).map(({ start, end }) => text.slice(start, end))
}

/** Returns the fields that describe the source of a session. A compacted copy keeps those that it has. */
function sourceOf({ body }: PostedSession): object | undefined {
  const document = fieldsOf(JSON.parse(body.toString().replace(/^\uFEFF/, '')))
  const { source_message_count: count, messages } = document
  const prompt = copyTexts(document, ['system_prompt'])
  if (typeof count === 'number')
    return {
      source_message_count: count,
      ...copyTexts(document, ['source_prefix_hash', 'source_last_message_key']),
      ...prompt,
    }
  const list: unknown[] = Array.isArray(messages) ? messages : []
  const key = keyOf(fieldsOf(list.at(-1)))
  return key === undefined ? undefined : { source_message_count: list.length, source_last_message_key: key }
}

/** Returns the key of a message, as Cline makes it; undefined for one without an id and a time. */
function keyOf({ id, role, ts }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id === 'string' && id.trim() !== '') return `id:${id.trim()}`
  return typeof ts === 'number' && typeof role === 'string' ? `ts:${role}:${ts}` : undefined
}

/** Returns where the kept messages begin: reasoning before an answer is an element of its own, and belongs to it. */
function firstWithReasoning(values: readonly unknown[], firstKept: number): number {
  if (fieldsOf(values[firstKept])['role'] !== 'assistant') return firstKept
  return values.findLastIndex((value, at) => at < firstKept && fieldsOf(value)['type'] !== 'reasoning') + 1
}

interface LegacyMaterial {
  text: string
  /** Where the covered messages end, each before its closing brace, and where the kept ones begin. */
  ends: readonly { at: number; comma: '' | ',' }[]
  keptFrom: number
}

/**
 * Writes a compaction as Roo Code and Kilo Code do: the covered messages name the summary (`condenseParent`), which stands
 * before the kept ones (Roo Code at cb83656).
 */
export const clineLegacyAppender: SessionAppender<LegacyMaterial> = {
  prepare({ body, isLines, isWhole, kept }) {
    if (isLines || !isWhole) return undefined
    const { text, items } = rawDocument(body)
    const values = items.map(({ start, end }): unknown => JSON.parse(text.slice(start, end)))
    const first = firstWithReasoning(values, kept[0].index)
    const keptFrom = items[first]?.start
    if (keptFrom === undefined) return undefined
    const ends = items.slice(0, first).flatMap(({ end }, at) => {
      const value = values[at]
      if (!isObject(value) || Array.isArray(value) || value['condenseParent'] !== undefined) return []
      return [{ at: end - 1, comma: Object.keys(value).length === 0 ? ('' as const) : (',' as const) }]
    })
    return { text, ends, keptFrom }
  },

  write({ text, ends, keptFrom }, { summary, at, uuid }) {
    const condenseId = uuid('condense')
    const content = [{ type: 'text', text: summary }]
    const message = JSON.stringify({ role: 'user', content, ts: at, isSummary: true, condenseId })
    const parts: string[] = []
    let from = 0
    for (const { at: end, comma } of ends) {
      parts.push(text.slice(from, end), `${comma}"condenseParent":"${condenseId}"`)
      from = end
    }
    const body = `${parts.join('')}${text.slice(from, keptFrom)}${message},${text.slice(keptFrom)}`
    return { mode: 'replace', contentType: CONTENT_TYPE, body }
  },
}
