import fc from 'fast-check'
import { linesOf, listOf, valuesOf, type Values } from './replay-trees.ts'

/** A fault in a session: an element that is missing, stands twice or elsewhere, or an id that is missing or stands twice. */
export interface Fault {
  kind: 'none' | 'drop' | 'repeat' | 'move' | 'drop id' | 'repeat id'
  /** Where the element is and where it goes, as parts of the whole. */
  from: number
  to: number
}

export const FAULT = fc.record<Fault>({
  kind: fc.constantFrom('none', 'drop', 'repeat', 'repeat', 'move', 'drop id', 'repeat id'),
  from: fc.double({ min: 0, max: 0.999, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** The fields with a list of messages, events or steps. */
const LISTS = ['messages', 'entries', 'input', 'contents', 'steps']

interface Elements {
  list: Values[]
  /** Returns the document with other elements. */
  write: (list: readonly Values[]) => string
}

/** Returns the elements of a document: its lines, or those of its list. */
export function elementsOf(document: string): Elements {
  if (/^\{[^\n]*\}\n./.test(document))
    return { list: linesOf(document), write: (list) => list.map((value) => `${JSON.stringify(value)}\n`).join('') }
  const parsed: unknown = JSON.parse(document)
  if (Array.isArray(parsed)) return { list: listOf(parsed), write: (list) => JSON.stringify(list) }
  const fields = valuesOf(parsed)
  const name = LISTS.find((one) => Array.isArray(fields[one])) ?? ''
  return { list: listOf(fields[name]), write: (list) => JSON.stringify({ ...fields, [name]: list }) }
}

/** Returns a session with a fault. */
export function breakSession(document: string, { kind, from, to }: Fault): string {
  const { list, write } = elementsOf(document)
  const at = Math.floor(from * list.length)
  const [element, other] = [list[at] ?? {}, list[Math.floor(to * (list.length - 1))] ?? {}]
  const others = list.toSpliced(at, 1)
  const place = Math.round(to * others.length)
  switch (kind) {
    case 'none':
      return document
    case 'drop':
      return write(others)
    case 'repeat':
      return write(list.toSpliced(Math.max(at + 1, place), 0, element))
    case 'move':
      // A file begins with its header.
      return write(others.toSpliced(at === list.length - 1 ? Math.max(1, place) : place, 0, element))
    case 'drop id':
      return write(list.with(at, withId(element, undefined)))
    case 'repeat id':
      return write(list.with(at, withId(element, idOf(other))))
  }
}

const NAMES = ['uuid', 'id', 'step_id']

const idOf = (element: Values): unknown => {
  const name = NAMES.find((one) => element[one] !== undefined)
  return name === undefined ? valuesOf(element['info'])['id'] : element[name]
}

/** Returns an element with another id, or as it is if it has none. */
function withId(element: Values, id: unknown): Values {
  const name = NAMES.find((one) => element[one] !== undefined)
  if (name !== undefined) return { ...element, [name]: id }
  const info = valuesOf(element['info'])
  return info['id'] === undefined ? element : { ...element, info: { ...info, id } }
}
