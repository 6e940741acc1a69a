import { fieldsOf } from '../../session/entry.ts'
import {
  appendLines,
  cannotWriteBack,
  lineStart,
  type Native,
  type SessionAppender,
  type PostedSession,
} from '../appender.ts'
import { rawDocument, rawElements } from '../shared/raw-json.ts'
import { type Fields } from '../shared/values.ts'

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

/**
 * What a condensation does with an event: it forgets the event by this id, or the summary of an earlier condensation, or it
 * leaves the event with this id before the summary. A nameless event is shown and cannot be forgotten. Others are not shown.
 */
type Role = { forget: string | number; isSummary?: boolean } | { stays: unknown } | 'nameless' | undefined

/**
 * Writes a compaction as OpenHands does: an event that names those that it has forgotten (software agent SDK 1.x). A newer
 * version lists earlier summaries as events too, with an id of their own.
 */
export const openhandsV1Appender = eventsNative({
  roleOf: ({ kind, id, llm_message: message, summary }) => {
    if (kind === 'SystemPromptEvent' || fieldsOf(message)['role'] === 'system') return { stays: id }
    const isSummary = kind === 'Condensation'
    if (isSummary ? typeof summary !== 'string' : !SHOWN_KINDS.has(kind)) return undefined
    if (typeof id !== 'string' || id === '') return 'nameless'
    return isSummary ? { forget: `${id}-summary`, isSummary } : { forget: id }
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
export const openhandsV0Appender = eventsNative({
  roleOf: ({ id, action, observation }) => {
    if (action === 'system') return { stays: id }
    if (action === 'condensation' || typeof (action ?? observation) !== 'string') return undefined
    return typeof id === 'number' ? { forget: id } : 'nameless'
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

function eventsNative({ roleOf, write }: EventStyle): SessionAppender<EventsMaterial> {
  return {
    prepare(session) {
      // Events after the branch would stay in the context.
      const end = session.isWhole ? endOf(session) : undefined
      if (end === undefined) return undefined
      const events = rawElements(session).map(({ index, text }) => ({ index, event: fieldsOf(JSON.parse(text)) }))
      const roles = events.map(({ index, event }) => ({ index, role: roleOf(event) }))
      const before = roles.filter(({ index }) => index < session.kept[0].index)
      const nextId =
        events.reduce((most, { event: { id } }) => (Number.isSafeInteger(id) ? Math.max(most, Number(id)) : most), -1) +
        1
      const offset = before.filter(({ role }) => isStaying(role)).length
      return { end, forgotten: forgottenIds(roles, session.kept[0].index), offset, nextId }
    },

    write(material, { summary, at, uuid }) {
      // OpenHands writes times without a time zone.
      const timestamp = new Date(at).toISOString().slice(0, -1)
      return addTo(material.end, JSON.stringify(write(material, { summary, timestamp, uuid })))
    },
  }
}

/**
 * Returns the ids of the events before the first kept one, and those of earlier summaries, which may stand after it in the file.
 * @throws Problem `no-native-form` if these ids do not name exactly these events
 */
function forgottenIds(roles: readonly { index: number; role: Role }[], firstKept: number): (string | number)[] {
  const forgotten = new Set<string | number>()
  for (const { index, role } of roles) {
    if (role === 'nameless' && index < firstKept) throw cannotWriteBack(namelessEvent(index))
    if (typeof role !== 'object' || isStaying(role)) continue
    if (index < firstKept || role.isSummary === true) forgotten.add(role.forget)
    else if (forgotten.has(role.forget)) throw cannotWriteBack(repeatedId(role.forget))
  }
  const staying = new Set(roles.map(({ role }) => (isStaying(role) ? role.stays : undefined)))
  for (const id of forgotten) if (staying.has(id)) throw cannotWriteBack(repeatedId(id))
  return [...forgotten]
}

const isStaying = (role: Role): role is { stays: unknown } => typeof role === 'object' && 'stays' in role

const namelessEvent = (index: number): string =>
  `Event ${index + 1} has no \`id\`, and OpenHands can forget an event only by its id: it would stay beside its summary. ` +
  'Give the event an id, or ask for `reply=text`.'

const repeatedId = (id: string | number): string =>
  `Two events have the \`id\` ${JSON.stringify(String(id).slice(0, 100))}, and OpenHands forgets both of them, although one is to be kept. ` +
  'Remove the repeated event, or give it an id of its own.'

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
