import { randomUUID } from 'node:crypto'
import type { TProperties } from '@sinclair/typebox'
import { EMPTY_BODY, Problem, SEND_BODY } from '../errors.ts'
import { fieldsOf, isObject, type ByteRange } from '../session/entry.ts'
import { brokenJson, brokenLines } from './explain-broken-body.ts'
import { SampledElements, type ChooseReader, type FirstLines } from './sample-elements.ts'
import { ElementReader, type ElementList, type ListName } from './read-elements.ts'
import { eachLine, findElements, splitElements } from './split-elements.ts'

export interface ListOptions {
  /** The fields of the body that are read element by element. */
  lists: readonly ListName[]
  /** True if messages are kept whole; false if only the parts are kept that a transcript may show. */
  isWhole: boolean
}

export interface BodyForms extends ListOptions {
  /** The fields by which the forms of the route are known; undefined: only the lists. */
  fields?: readonly string[]
  /** The schema of the entries form, which a document of any format has; undefined if the route reads no session. */
  entriesForm?: { properties: TProperties }
}

/** The forms of a route that reads sessions. */
export type SessionBodyForms = BodyForms & Required<Pick<BodyForms, 'entriesForm'>>

/** A parsed body. The elements of its lists are checked, its other fields are not. */
export interface ParsedBody {
  /** The body with empty lists in the place of those in `lists`. */
  rest: unknown
  lists: readonly ElementList[]
}

/** Decisions that depend on the fields of a body beside its lists. */
interface JsonChoices {
  /** Returns the reader of the list `messages`, which several formats have. */
  choose?: (sample: readonly unknown[], fields: Readonly<Record<string, unknown>>) => ElementList
  /** Returns whether the field `session` is a document of its own, which is left unread. */
  isEnvelope?: (fields: object) => boolean
}

/** Replaces a value in the rest of the body. It is random, so that no client can write it. */
const PLACEHOLDER = randomUUID()

/**
 * Parses a JSON body, its lists element by element.
 * @returns also where the session of an envelope is, if it is not a text
 * @throws Problem `invalid-request` if the body is empty or not JSON
 */
export function readJson(
  body: Buffer,
  { lists: names }: Pick<ListOptions, 'lists'>,
  { choose, isEnvelope }: JsonChoices = {},
): ParsedBody & { session?: ByteRange | undefined } {
  if (body.length === 0) throw emptyBody()
  return catchSyntaxErrors(body, () => {
    const { rest, found } = splitBody(body, names)
    const [session] = found.get('session') ?? []
    const isOpen = session !== undefined && isEnvelope?.(fieldsOf(rest)) === true
    if (isObject(rest) && session !== undefined && !isOpen) rest['session'] = parseRange(body, session)
    const lists = names.flatMap((name) => {
      const ranges = found.get(name)
      if (ranges === undefined) return []
      const own = (): ElementList => new ElementReader(name)
      const isChosen = name === 'messages' && choose !== undefined
      const list = new SampledElements(isChosen ? (sample) => choose(sample, fieldsOf(rest)) : own)
      for (const [index, range] of ranges.entries()) list.read(parseRange(body, range), { index, range })
      return list.chosen()
    })
    return { rest, lists, session: isOpen ? session : undefined }
  })
}

/**
 * Splits a body into its lists, its session, and the rest, in which the lists are empty.
 * @throws SyntaxError
 */
function splitBody(body: Buffer, names: readonly ListName[]): { rest: unknown; found: Map<string, ByteRange[]> } {
  const found = new Map<string, ByteRange[]>()
  const onField = (name: string): ByteRange[] => {
    // What a later field of its name replaces must be JSON too.
    for (const range of found.get(name) ?? []) parseRange(body, range)
    const ranges: ByteRange[] = []
    found.set(name, ranges)
    return ranges
  }
  const text = splitElements(body, {
    ...{ names, placeholder: JSON.stringify(PLACEHOLDER) },
    onList: (name) => {
      const ranges = onField(name)
      return (range) => ranges.push(range)
    },
    whole: { name: 'session', onValue: (range) => onField('session').push(range) },
  })
  const rest: unknown = JSON.parse(text)
  const fields: Record<string, unknown> = isObject(rest) ? rest : {}
  for (const name of found.keys()) {
    if (fields[name] !== PLACEHOLDER) {
      onField(name)
      found.delete(name)
    } else if (name !== 'session') fields[name] = []
  }
  return { rest, found }
}

/** Reads the values of a body that is a JSON array as the list of one of the service's own forms. */
export function readArray(
  body: Buffer,
  { name, values }: { name: ListName; values: readonly unknown[] },
  { lists }: Pick<ListOptions, 'lists'>,
): ParsedBody {
  if (!lists.includes(name)) return { rest: { [name]: values }, lists: [] }
  const list = new ElementReader(name)
  for (const [index, range] of findElements(body).entries()) list.read(values[index], { index, range })
  return { rest: { [name]: [] }, lists: [list] }
}

/** To read a broken line takes a hundred times as long as a short valid one. No session file has as many of them. */
const MAX_BROKEN_LINES = 10_000

/**
 * Parses a session file, one entry per line. Lines that are not valid JSON are skipped: the agent may have been stopped
 * while it wrote one (docs/contract.md, "Entries form").
 * @param values has parsed the first lines already
 * @throws Problem `invalid-request` if no line is valid JSON, or more than 10,000 are not; it names the first 20 as `/entries/N`
 */
export function readLines(body: Buffer, values: FirstLines, choose: ChooseReader): ElementList {
  const entries = new SampledElements(choose)
  const skipped: number[] = []
  let lines = 0
  for (const { line: index, range } of eachLine(body)) {
    lines += 1
    const value = values.valueAt(range)
    if (value !== undefined) entries.read(value, { index, range })
    else if (skipped.length < MAX_BROKEN_LINES) skipped.push(index)
    else throw brokenLines(body, skipped, 'too many')
  }
  if (lines === 0) throw emptyBody()
  if (skipped.length === lines) throw brokenLines(body, skipped, 'none is valid')
  const list = entries.chosen()
  for (const line of skipped) list.skip(line)
  return list
}

/** Parses the JSON in a part of a body. @throws SyntaxError */
export function parseRange(body: Buffer, { start, end }: ByteRange): unknown {
  return JSON.parse(body.toString('utf8', start, end))
}

/** Returns the problem of a request without a body, or with a blank one. */
export function emptyBody(): Problem {
  const faults = [{ pointer: '', detail: 'must not be empty' }]
  return new Problem('invalid-request', EMPTY_BODY + SEND_BODY, { faults })
}

/** Throws a Problem instead of the parser's error, whose message quotes the body. */
function catchSyntaxErrors<T>(body: Buffer, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw body.toString().trim() === '' ? emptyBody() : brokenJson(body)
  }
}
