import { parseJson, type ByteRange } from '../session/entry.ts'
import {
  CLOSE_BRACE,
  codeAt,
  findClose,
  findTextStart,
  findValueStart,
  isBlank,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanMembers,
  withoutBlanks,
} from '../text/json-scan.ts'

interface SplitOptions<Name extends string> {
  /** The fields of the body whose lists are split. */
  names: readonly Name[]
  /** Replaces such a list in the rest of the body: a JSON value that no client can write. */
  placeholder: string
  /**
   * Called when a list begins. A second list of the same name replaces the first, as with `JSON.parse`.
   * @returns the function that receives the list's elements
   */
  onList: (name: Name) => OnElement
  /** A field whose object or array is left out too, in one piece. */
  whole?: { name: string; onValue: OnElement }
}

/** Called with the bytes of a value, without the white space around it. */
type OnElement = (range: ByteRange) => void

/**
 * Splits the text of a JSON object into the elements of some of its lists and the rest. It does not validate: the object is JSON
 * if the rest and all elements are JSON (RFC 8259, section 2), which their parser checks. A byte order mark is skipped (RFC 8259,
 * section 8.1). Linear for any input.
 * @returns the rest: JSON with a placeholder for each list, and for the value that is left out in one piece
 * @throws SyntaxError if a list is closed by a brace; what `onList` and the function that it returns throw
 */
export function splitElements<Name extends string>(body: Buffer, options: SplitOptions<Name>): string {
  const rest: string[] = []
  let from = findTextStart(body)
  const onNested = (open: number, place: ByteRange): number => {
    const name = readName(body, place)
    const list = body[open] === OPEN_BRACKET ? options.names.find((one) => one === name) : undefined
    const close = list === undefined ? findClose(body, open) : splitList(body, open, options.onList(list))
    const end = Math.min(close + 1, body.length)
    if (list === undefined) {
      if (name === '' || name !== options.whole?.name) return close
      options.whole.onValue({ start: open, end })
    }
    rest.push(body.toString('utf8', from, open), options.placeholder)
    from = end
    return close
  }
  const open = findValueStart(body)
  if (body[open] === OPEN_BRACE) scanMembers(body, open, { onNested })
  return rest.join('') + body.toString('utf8', from)
}

/**
 * Returns where the elements of a list are, in an object or an array. The last list of a name counts, as with `JSON.parse`.
 * @param name the field with the list of an object
 */
export function findElements(body: Buffer, name?: string): ByteRange[] {
  let ranges: ByteRange[] = []
  const onElement = (range: ByteRange): void => {
    ranges.push(range)
  }
  const onList = () => {
    ranges = []
    return onElement
  }
  const start = findValueStart(body)
  if (name !== undefined) splitElements(body, { names: [name], placeholder: '[]', onList })
  else if (body[start] === OPEN_BRACKET) splitList(body, start, onElement)
  return ranges
}

/** Reports the elements of a list. @returns the index of the bracket that closes it, or the length of the body */
function splitList(body: Buffer, open: number, onElement: OnElement): number {
  const close = scanMembers(body, open, { onMember: onElement })
  if (body[close] === CLOSE_BRACE) throw new SyntaxError('A list is closed by a brace.')
  return close
}

/** A field with a longer name is never one of `names`, even if each of its characters is an escape of six bytes. */
const MAX_NAME_BYTES = 200

/** Returns the text of a name, escapes resolved; '' if it is too long or not a JSON string. */
function readName(body: Buffer, { start, end }: ByteRange): string {
  if (end - start > MAX_NAME_BYTES) return ''
  const json = body.toString('utf8', start, end)
  if (!json.includes('\\')) return json.slice(1, -1)
  const name = parseJson(json)
  return typeof name === 'string' ? name : ''
}

/** A line of a text, without the white space around it; the first line is 0. */
interface Line {
  line: number
  range: ByteRange
}

/** Yields the lines of a text that are not blank. */
export function* eachLine(body: Buffer): Generator<Line, undefined> {
  let line = 0
  for (let at = findTextStart(body); at < body.length;) {
    // A loop over bytes is faster than a search: a hostile body has only line feeds.
    if (isBlank(codeAt(body, at))) {
      if (body[at] === LINE_FEED) line += 1
      at += 1
      continue
    }
    const feed = body.indexOf(LINE_FEED, at)
    const end = feed < 0 ? body.length : feed
    yield { line, range: withoutBlanks(body, at, end) }
    at = end
  }
}
