import { fieldsOf } from '../entry.ts'
import { appendLines, lineStart, type Native, type NativeFormat, type PostedSession } from './native-format.ts'
import { rawDocument, rawElements } from './raw-json.ts'

type Fields = Readonly<Record<string, unknown>>

interface EventsMaterial {
  end: EventsEnd
  /** The ids of the events that are summarized. */
  forgotten: readonly (string | number)[]
  /** How many events stand before the summary: the instructions. */
  offset: number
  /** The id of the next event, where ids are numbers. */
  nextId: number
}

/** Where an event is added: as a line, or in a list between two parts of the document. */
type EventsEnd = { start: '' | '\n' } | { head: string; tail: string }

/** What a condensation does with an event: it forgets the event by this id, it leaves it before the summary, or neither. */
type Role = { forget: string | number } | 'stays' | undefined

/**
 * Writes a compaction as OpenHands does: an event that names those that it has forgotten (software agent SDK 1.x). A newer
 * version lists earlier summaries as events too, with an id of their own.
 */
export const openhandsV1Native = eventsNative({
  roleOf: ({ kind, id, llm_message: message, summary }) => {
    if (kind === 'SystemPromptEvent' || fieldsOf(message)['role'] === 'system') return 'stays'
    if (typeof id !== 'string') return undefined
    if (kind === 'Condensation') return typeof summary === 'string' ? { forget: `${id}-summary` } : undefined
    return SHOWN_KINDS.has(kind) ? { forget: id } : undefined
  },
  write: ({ forgotten, offset }, { summary, timestamp, uuid }) => ({
    ...{ kind: 'Condensation', id: uuid('condensation'), timestamp, source: 'environment' },
    ...{ forgotten_event_ids: forgotten, summary, summary_offset: offset, llm_response_id: uuid('response') },
  }),
})

/** Events that are shown to the model. */
const SHOWN_KINDS = new Set<unknown>([
  ...['MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation'],
  'CondensationSummaryEvent',
])

/** Writes a compaction as OpenHands 0.x does: an action whose arguments name the events that it has forgotten. */
export const openhandsV0Native = eventsNative({
  roleOf: ({ id, action }) => {
    if (action === 'system') return 'stays'
    return typeof id !== 'number' || action === 'condensation' ? undefined : { forget: id }
  },
  write: ({ forgotten, offset, nextId }, { summary, timestamp }) => ({
    ...{ id: nextId, timestamp, source: 'agent', message: summary, action: 'condensation' },
    args: {
      ...{ forgotten_event_ids: forgotten, forgotten_events_start_id: null, forgotten_events_end_id: null },
      ...{ summary, summary_offset: offset },
    },
  }),
})

interface EventStyle {
  roleOf: (event: Fields) => Role
  write: (
    material: EventsMaterial,
    facts: { summary: string; timestamp: string; uuid: (name: string) => string },
  ) => object
}

function eventsNative({ roleOf, write }: EventStyle): NativeFormat<EventsMaterial> {
  return {
    prepare(session) {
      // Events after the branch would stay in the context.
      const end = session.isWhole ? endOf(session) : undefined
      if (end === undefined) return undefined
      const events = rawElements(session).map(({ index, text }) => ({ index, event: fieldsOf(JSON.parse(text)) }))
      const before = events.filter(({ index }) => index < session.kept[0].index)
      const roles = before.map(({ event }) => roleOf(event))
      const ids = roles.flatMap((role) => (typeof role === 'object' ? [role.forget] : []))
      const offset = roles.filter((role) => role === 'stays').length
      const nextId =
        events.reduce((most, { event: { id } }) => (Number.isSafeInteger(id) ? Math.max(most, Number(id)) : most), -1) +
        1
      return { end, forgotten: [...new Set(ids)], offset, nextId }
    },

    write(material, { summary, at, uuid }) {
      // OpenHands writes times without a time zone.
      const timestamp = new Date(at).toISOString().slice(0, -1)
      return addTo(material.end, JSON.stringify(write(material, { summary, timestamp, uuid })))
    },
  }
}

function endOf(session: PostedSession): EventsEnd | undefined {
  if (session.isLines) return { start: lineStart(session) }
  const { text, items } = rawDocument(session.body)
  const { end } = items.at(-1) ?? {}
  return end === undefined ? undefined : { head: text.slice(0, end), tail: text.slice(end) }
}

const addTo = (end: EventsEnd, event: string): Native =>
  'start' in end
    ? appendLines(end.start, [event])
    : { mode: 'replace', contentType: 'application/json', body: `${end.head},${event}${end.tail}` }
