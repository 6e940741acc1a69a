import type { SourceElement } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { addAtEnd, cannotWriteBack, lineStart, type SessionAppender, type SessionEnd } from '../appender.ts'
import { nextNumber, splitAtEnd } from '../shared/elements.ts'
import { openhandsV0Reader } from './read-v0.ts'
import { openhandsV1Reader } from './read-v1.ts'

interface EventsMaterial {
  end: SessionEnd
  /** The ids of the events that are summarized. */
  forgotten: readonly (string | number)[]
  /** How many events are before the summary: the instructions. */
  offset: number
  /** The id of the next event, where ids are numbers. */
  nextId: number
}

/**
 * Writes a compaction as OpenHands does: an event that names those that it has forgotten (software agent SDK 1.x). A newer
 * version lists earlier summaries as events too, with an id of their own.
 */
const openhandsV1Appender = eventsAppender(({ forgotten, offset }, { summary, timestamp, uuid }) => ({
  ...{ kind: 'Condensation', id: uuid('condensation'), timestamp, source: 'environment' },
  ...{ forgotten_event_ids: forgotten, summary, summary_offset: offset, llm_response_id: uuid('response') },
}))

/** Writes a compaction as OpenHands 0.x does: an action whose arguments name the events that it has forgotten. */
const openhandsV0Appender = eventsAppender(({ forgotten, offset, nextId }, { summary, timestamp }) => ({
  ...{ id: nextId, timestamp, source: 'agent', message: summary, action: 'condensation' },
  args: {
    ...{ forgotten_event_ids: forgotten, forgotten_events_start_id: null, forgotten_events_end_id: null },
    ...{ summary, summary_offset: offset },
  },
}))

type WriteEvent = (
  material: EventsMaterial,
  facts: { summary: string; timestamp: string; uuid: (name: string) => string },
) => object

function eventsAppender(write: WriteEvent): SessionAppender<EventsMaterial> {
  return {
    prepare(session) {
      const { places, kept, isLines, isWhole } = session
      // Events after the branch would stay in the context.
      if (!isWhole) return undefined
      const end = isLines ? { start: lineStart(session) } : splitAtEnd(session)
      const { index: firstKept } = kept[0]
      const offset = places.filter(({ kind, index }) => kind === 'instruction' && index < firstKept).length
      return end && { end, forgotten: forgottenIds(places, firstKept), offset, nextId: nextNumber(places, 0) }
    },

    write(material, { summary, at, uuid }) {
      // OpenHands writes times without a time zone.
      const timestamp = new Date(at).toISOString().slice(0, -1)
      return addAtEnd(material.end, [JSON.stringify(write(material, { summary, timestamp, uuid }))])
    },
  }
}

/**
 * Returns the ids of the events before the first kept one, and those of earlier summaries, which may be after it in the file.
 * @throws Problem `no-native-form` if these ids do not name exactly these events
 */
function forgottenIds(events: readonly SourceElement[], firstKept: number): (string | number)[] {
  const forgotten = new Set<string | number>()
  for (const { index, kind, id = '' } of events) {
    if (kind !== 'shown' && kind !== 'summary') continue
    if (id === '' && index < firstKept) throw cannotWriteBack(namelessEvent(index))
    if (id === '') continue
    if (index < firstKept || kind === 'summary') forgotten.add(id)
    else if (forgotten.has(id)) throw cannotWriteBack(repeatedId(id))
  }
  for (const { kind, id = '' } of events)
    if (kind === 'instruction' && forgotten.has(id)) throw cannotWriteBack(repeatedId(id))
  return [...forgotten]
}

const namelessEvent = (index: number): string =>
  `Event ${index + 1} has no \`id\`, and OpenHands can forget an event only by its id: it would stay beside its summary. ` +
  'Give the event an id, or ask for `reply=text`.'

const repeatedId = (id: string | number): string =>
  `Two events have the \`id\` ${JSON.stringify(String(id).slice(0, 100))}, and OpenHands forgets both of them, although one is to be kept. ` +
  'Remove the repeated event, or give it an id of its own.'

export const OPENHANDS_V0: Agent = {
  id: 'openhands-v0',
  reader: openhandsV0Reader,
  appender: openhandsV0Appender,
  continueWith: () => ({
    sentence:
      'The trajectory ends with the compaction. Whether OpenHands 0.x continues with it was not tested (docs/agents.md).',
  }),
}

export const OPENHANDS_V1: Agent = {
  id: 'openhands-v1',
  reader: openhandsV1Reader,
  appender: openhandsV1Appender,
  continueWith: () => ({
    sentence:
      'Continue with OpenHands: put the last line, as a file of its own, into the folder of the conversation (docs/agents.md).',
  }),
}
