import { fieldsOf, type Entry, type SourceElement } from '../../session/entry.ts'
import { cannotWriteBack, type DocumentEnd, type PostedSession } from '../appender.ts'
import { rawItems, rawParts, type RawPart } from './raw-json.ts'
import type { Fields } from './values.ts'

/**
 * Returns a part of a session as it came.
 * @throws Problem `no-native-form` for bytes that are not UTF-8: what is written back would have U+FFFD in their place
 */
export function copyText(body: Buffer, { start, end = body.length }: { start: number; end?: number }): string {
  const bytes = body.subarray(start, end)
  const text = bytes.toString()
  if (!text.includes('\uFFFD')) return text
  const changed = Buffer.from(text)
  if (changed.equals(bytes)) return text
  const at = bytes.findIndex((byte, index) => byte !== changed[index])
  throw cannotWriteBack(
    `Byte ${start + at + 1} is in a part that stays, and it is not UTF-8, as JSON must be (RFC 8259): it would be lost. ` +
      'Replace this byte, or ask for `reply=text`.',
  )
}

/** Returns an element as it came. @throws Problem `no-native-form` */
export const elementText = (body: Buffer, { range }: SourceElement): string => copyText(body, range)

/** Returns some fields of an element: only these are parsed. */
export function readElement(body: Buffer, { range }: Pick<SourceElement, 'range'>, names: readonly string[]): Fields {
  const json = body.toString('utf8', range.start, range.end)
  const fields = rawParts(json).filter(({ name }) => names.includes(name))
  return Object.fromEntries(fields.map(({ name, start, end }) => [name, JSON.parse(json.slice(start, end))]))
}

/**
 * Returns the time of a compaction: never before that of an element that it keeps, since the clocks of two machines may differ.
 * @param now milliseconds since the epoch
 * @param newestMs what `newestTime` returned for the kept elements
 */
export const timeOfCompaction = (now: number, newestMs = now): number => Math.max(now, newestMs)

/** Returns the newest time of elements; undefined if none has a time. */
export function newestTime(elements: readonly SourceElement[]): number | undefined {
  const times = elements.flatMap(({ timeMs }) => timeMs ?? [])
  return times.length === 0 ? undefined : times.reduce((newest, time) => Math.max(newest, time))
}

/** Returns the position of the element with which an entry begins; -1 if the agent does not have it any more. */
export const findElement = (
  elements: readonly SourceElement[],
  { index, part }: Pick<Entry, 'index' | 'part'>,
): number => elements.findIndex((one) => one.index === index && (one.part === undefined || one.part === part))

/**
 * Returns the elements before the kept ones, and the kept ones. Reasoning before an answer belongs to it: encrypted reasoning is
 * not an entry of its own, but the answer is not valid without it. Before a message of the user, it is that of an answer that was
 * interrupted.
 */
export function splitAtCut({ elements, kept, isWhole }: PostedSession): Record<'before' | 'kept', SourceElement[]> {
  const [first] = kept
  const at = findElement(elements, first)
  if (at < 0) return { before: [...elements], kept: [] }
  const isUsers = elements[at]?.kind === 'user'
  const start = isUsers ? at : elements.findLastIndex(({ kind }, index) => index < at && kind !== 'reasoning') + 1
  const end = isWhole ? Infinity : (kept.at(-1) ?? first).index
  return { before: elements.slice(0, start), kept: elements.slice(start).filter(({ index }) => index <= end) }
}

/**
 * Returns a function that returns an element as JSON, also one in the list of an element. Those of one list follow each other.
 * @param listOf returns the list in an element
 */
export function partReader(
  body: Buffer,
  listOf: (json: string) => string | undefined,
): (element: SourceElement) => string {
  let open: { start: number; items: readonly string[] } | undefined
  return (element) => {
    const { range, part } = element
    if (part === undefined) return elementText(body, element)
    if (open?.start !== range.start) open = { start: range.start, items: rawItems(listOf(elementText(body, element))) }
    return open.items[part] ?? ''
  }
}

/** Returns the text of a document before its first element, and after its last one; undefined for one without elements. */
export function textAround({
  body,
  places,
}: Pick<PostedSession, 'body' | 'places'>): [head: string, tail: string] | undefined {
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return [copyText(body, { start: 0, end: first.range.start }), copyText(body, { start: last.range.end })]
}

/** Returns the text of a document up to the end of its last element, and the rest; undefined for one without elements. */
export function splitAtEnd({ body, places }: PostedSession): DocumentEnd | undefined {
  const end = places.at(-1)?.range.end
  return end === undefined
    ? undefined
    : { head: copyText(body, { start: 0, end }), tail: copyText(body, { start: end }) }
}

/** Returns the number after the largest one that is an id. @param first the first number */
export const nextNumber = (elements: readonly SourceElement[], first: number): number =>
  elements.reduce((most, { id }) => (Number.isSafeInteger(id) ? Math.max(most, Number(id)) : most), first - 1) + 1

/** Returns a document without its elements: valid JSON. */
export const emptyDocument = (session: Pick<PostedSession, 'body' | 'places'>): Fields =>
  fieldsOf(JSON.parse((textAround(session) ?? ['{', '}']).join('').replace(/^\uFEFF/, '')))

/** Returns what is around the list of a document, without the fields that belong to the request. */
export function fieldsAround(session: PostedSession): [before: string, after: string] {
  const [head = '', tail = ''] = textAround(session) ?? []
  const text = head + tail
  if (head.replace('\uFEFF', '').trim() === '[') return ['[', ']']
  const fields = rawParts(text).filter(({ name }) => !session.requestFields.includes(name))
  const isList = ({ start, end }: RawPart): boolean => start < head.length && head.length < end
  const list = rawParts(text).find(isList)
  const write = ({ name, start, end }: RawPart): string => `${JSON.stringify(name)}:${text.slice(start, end)}`
  const before = fields.filter(({ end }) => end <= head.length).map((field) => `${write(field)},`)
  const after = fields.filter(({ start }) => start >= head.length).map((field) => `,${write(field)}`)
  return [`{${before.join('')}${JSON.stringify(list?.name)}:[`, `]${after.join('')}}`]
}

/** Returns the indexes of the elements with entries, in the order of the branch, each once. */
export const indexesOf = (entries: readonly Entry[]): number[] => [...new Set(entries.map(({ index }) => index))]

/**
 * Returns the id of the line that a compaction follows, in a tree: the last kept one, or the end of the lines without a message
 * after it, such as attachments and telemetry.
 */
export function endOfChain(
  { elements, isWhole }: Pick<PostedSession, 'elements' | 'isWhole'>,
  lastKept: SourceElement,
): string {
  let last = String(lastKept.id)
  for (const { id, parentId } of isWhole ? elements.slice(elements.indexOf(lastKept) + 1) : [])
    if (parentId === last) last = String(id)
  return last
}
