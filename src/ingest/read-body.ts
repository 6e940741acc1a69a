import { randomUUID } from 'node:crypto'
import { EMPTY_BODY, Problem, SEND_BODY } from '../errors.ts'
import { isObject, type ByteRange } from '../session/entry.ts'
import { brokenJson, brokenLines } from './explain-broken-body.ts'
import { ElementReader, type ElementList, type ListName } from './read-elements.ts'
import { SampledElements, type ChooseReader } from './sample-elements.ts'
import { findElements, splitElements } from './split-elements.ts'
import { splitLines } from './split-lines.ts'

/** How the lists of a body are read. */
export interface ListOptions {
  /** The fields of the body that are read element by element. */
  lists: readonly ListName[]
  /** True if messages are kept whole; false if only the parts are kept that a transcript may show. */
  isWhole: boolean
}

/** A parsed body. The elements of its lists are checked, its other fields are not. */
export interface ParsedBody {
  /** The body with empty lists in the place of those in `lists`. */
  rest: unknown
  lists: readonly ElementList[]
}

/** Replaces a list in the rest of the body. It is random, so that no client can write it. */
const LIST_PLACEHOLDER = randomUUID()

/**
 * Parses a JSON body, its lists element by element.
 * @param choose returns the reader of the list `messages`, which several formats have
 * @throws Problem `invalid-request` if the body is empty or not JSON
 */
export function readJson(
  body: Buffer,
  { lists: names }: Pick<ListOptions, 'lists'>,
  choose?: ChooseReader,
): ParsedBody {
  if (body.length === 0) throw emptyBody()
  const lists = new Map<ListName, SampledElements>()
  const onList = (name: ListName) => {
    const own = (): ElementList => new ElementReader(name)
    const list = new SampledElements(name === 'messages' && choose !== undefined ? choose : own)
    lists.set(name, list)
    let index = 0
    return (range: ByteRange): void => {
      list.read(parseRange(body, range), { index: index++, range })
    }
  }
  const placeholder = JSON.stringify(LIST_PLACEHOLDER)
  const rest = catchSyntaxErrors<unknown>(body, () => JSON.parse(splitElements(body, { names, placeholder, onList })))
  if (!isObject(rest)) return { rest, lists: [] }
  for (const name of lists.keys()) {
    // A later field of the same name may have replaced the list.
    if (rest[name] === LIST_PLACEHOLDER) rest[name] = []
    else lists.delete(name)
  }
  return { rest, lists: Array.from(lists.values(), (list) => list.chosen()) }
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
 * @throws Problem `invalid-request` if no line is valid JSON, or more than 10,000 are not; it names the first 20 as `/entries/N`
 */
export function readLines(body: Buffer, choose: ChooseReader): ElementList {
  const entries = new SampledElements(choose)
  const skipped: number[] = []
  let lines = 0
  splitLines(body, (index, range) => {
    const text = body.toString('utf8', range.start, range.end)
    if (text.trim() === '') return
    lines += 1
    const value = parseLine(text)
    if (value !== undefined) entries.read(value, { index, range })
    else if (skipped.length < MAX_BROKEN_LINES) skipped.push(index)
    else throw brokenLines(body, skipped, 'too many')
  })
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

/** Returns the value of a line, or undefined if it is not JSON. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function emptyBody(): Problem {
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
