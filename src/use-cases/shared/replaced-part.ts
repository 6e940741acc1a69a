import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import type { Fields } from '../../agents/shared/values.ts'
import { formatOf, type SessionRequest, type SessionSource } from '../../ingest/read-request.ts'
import { fieldsOf, NO_RANGE, parseJson, type ByteRange, type Entry, type SourceElement } from '../../session/entry.ts'
import type { ReplacedPart } from '../../summary/looking-up.ts'
import { defined } from '../../text/defined.ts'
import { readTime } from '../../text/read-time.ts'

/** The fields in which formats have the time of an entry. */
const TIME_FIELDS = ['timestamp', 'ts', 'time', 'createdAt', 'created_at', 'startTime'] as const

/** Seconds since the epoch have fewer digits than milliseconds, until the year 5138. */
const MAX_SECONDS = 1e11

/** The last moment that a date can be (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15

/** Returns when an element was written, in milliseconds since the epoch. */
export function timeOfElement(element: Readonly<Record<string, unknown>>): number | undefined {
  const times = TIME_FIELDS.map((name) => element[name])
  const time = [...times, fieldsOf(element['time'])['created'], fieldsOf(element['message'])['timestamp']].find(
    (one) => typeof one === 'number' || !Number.isNaN(readTime(one)),
  )
  if (typeof time === 'string') return readTime(time)
  const timeMs = typeof time === 'number' ? time * (time < MAX_SECONDS ? 1000 : 1) : NaN
  return Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : undefined
}

/**
 * Returns which part of a session a summary replaces.
 * @param branch the active branch
 * @param end the position of the first entry that stays
 */
export function describeReplaced(
  request: Pick<SessionRequest<object>, 'source' | 'format'>,
  branch: readonly Entry[],
  end: number,
): ReplacedPart {
  const { source } = request
  const replaced = branch.slice(0, end)
  const read = elementReader(source.body)
  const timeOf = (entry: Entry): number | undefined => timeOfElement(read(entry))
  return defined({
    session: findSessionId(source, { agent: AGENTS[formatOf(request)], read }),
    entries: end,
    hasEarlier: branch[0]?.compaction !== undefined,
    fromMs: firstOf(replaced.slice(0, MAX_SEARCHED), timeOf),
    toMs: firstOf(replaced.slice(-MAX_SEARCHED).reverse(), timeOf),
  })
}

type ReadElement = (element: Pick<SourceElement, 'range'>) => Fields

/**
 * Returns a function that returns the fields of an element: none, if it is text that is not JSON. Many entries of one element
 * follow each other, so the last element is parsed once.
 */
function elementReader(body: Buffer): ReadElement {
  let [last, fields]: [ByteRange, Fields] = [NO_RANGE, {}]
  return ({ range }) => {
    if (range.start === last.start && range.end === last.end) return fields
    ;[last, fields] = [range, fieldsOf(parseJson(body.toString('utf8', range.start, range.end)))]
    return fields
  }
}

/** Some entries have no time, such as changes of the model. */
const MAX_SEARCHED = 20

/** An id is at the beginning of a document. */
const SEARCHED_VALUES = 20

const ID = /^[\w.:-]{1,100}$/

/** Returns the id by which the agent finds the session; undefined if the document does not say it. */
function findSessionId(
  source: SessionSource,
  { agent: { homes = [], idIn }, read }: { agent: Agent; read: ReadElement },
): string | undefined {
  const values = source.places.slice(0, SEARCHED_VALUES).map(read)
  const readers = [...homes.flatMap(({ resume }) => resume?.idIn ?? []), ...(idIn === undefined ? [] : [idIn])]
  const ids = [...(source.isLines ? [] : [fieldsAroundElements(source)]), ...values].flatMap((value) =>
    readers.map((readId) => readId(value)),
  )
  return ids.find((id) => typeof id === 'string' && ID.test(id)) as string | undefined
}

/** Returns the fields of a document without its elements: none, if it is text that is not JSON. */
function fieldsAroundElements({ body, places }: SessionSource): Fields {
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return {}
  const text = body.toString('utf8', 0, first.range.start) + body.toString('utf8', last.range.end)
  return fieldsOf(parseJson(text.replace(/^\uFEFF/, '')))
}

function firstOf<T, R>(values: readonly T[], read: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = read(value)
    if (found !== undefined) return found
  }
  return undefined
}
