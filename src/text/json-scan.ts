/** JSON as text or as its bytes in UTF-8. Offsets are indexes of characters or of bytes. */
type JsonText = string | Uint8Array

/** Where something is in a JSON text, and the index after it. */
interface Place {
  start: number
  end: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
export const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const LINE_FEED = 0x0a

/** Returns the code at an index; NaN behind the end. */
export const codeAt = (json: JsonText, at: number): number =>
  typeof json === 'string' ? json.charCodeAt(at) : (json[at] ?? NaN)

/** Returns the index after the string that a quote opens; the length of the text if it is not closed. */
export function findStringEnd(json: JsonText, open: number): number {
  for (let from = open + 1; ;) {
    const quote = typeof json === 'string' ? json.indexOf('"', from) : json.indexOf(QUOTE, from)
    if (quote < 0) return json.length
    let start = quote
    while (start > from && codeAt(json, start - 1) === BACKSLASH) start -= 1
    if ((quote - start) % 2 === 0) return quote + 1
    from = quote + 1
  }
}

/**
 * Returns the index of the bracket or brace that closes an array or object; the length of the text if it is not closed.
 * Linear, and not recursive.
 */
export function findClose(json: JsonText, open: number): number {
  let depth = 1
  for (let at = open + 1; at < json.length; at++) {
    switch (codeAt(json, at)) {
      case QUOTE:
        at = findStringEnd(json, at) - 1
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1
        if (depth === 0) return at
    }
  }
  return json.length
}

interface ScanHooks {
  /** Called with each element or field, without the white space around it, also with an empty one before a comma. */
  onMember?: (value: Place, name: Place) => void
  /** Called where an array or object opens in the scanned one. @returns the index of what closes it, or the length of the text */
  onNested?: (open: number, name: Place) => number
}

/** The name of an element of an array. */
const NO_NAME: Place = { start: 0, end: 0 }

/**
 * Scans an array or object, without validating it: it jumps from quote to quote and counts brackets. Linear for any input.
 * @param open the index of what opens it
 * @returns the index of the bracket or brace that closes it, or the length of the text
 */
export function scanMembers(json: JsonText, open: number, { onMember, onNested }: ScanHooks): number {
  let [name, lastString] = [NO_NAME, NO_NAME]
  let from = open + 1
  const endMember = (to: number): void => {
    onMember?.(withoutBlanks(json, from, to), name)
    from = to + 1
    name = NO_NAME
  }
  const isObject = codeAt(json, open) === OPEN_BRACE
  let isEmpty = true
  for (let at = open + 1; at < json.length; at++) {
    switch (codeAt(json, at)) {
      case QUOTE:
        lastString = { start: at, end: findStringEnd(json, at) }
        at = lastString.end - 1
        break
      case COLON:
        // In an array, it is a fault: it stays in its element, whose parser refuses it.
        if (!isObject) break
        name = lastString
        from = at + 1
        break
      case COMMA:
        endMember(at)
        isEmpty = false
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        at = onNested?.(at, name) ?? findClose(json, at)
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE: {
        const { start, end } = withoutBlanks(json, from, at)
        if (!isEmpty || start < end) endMember(at)
        return at
      }
    }
  }
  return json.length
}

/** Returns a part of a text without the white space of JSON (RFC 8259, section 2) at its ends. */
export function withoutBlanks(json: JsonText, from: number, to: number): Place {
  let start = from
  let end = to
  while (start < end && isBlank(codeAt(json, start))) start += 1
  while (end > start && isBlank(codeAt(json, end - 1))) end -= 1
  return { start, end }
}

export const isBlank = (code: number): boolean => code === 0x20 || code === LINE_FEED || code === 0x0d || code === 0x09

/** Returns the index after the byte order mark that some editors write at the beginning of a file; 0 without one. */
export function findTextStart(json: JsonText): number {
  if (typeof json === 'string') return json.startsWith('\uFEFF') ? 1 : 0
  return json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? 3 : 0
}

/** Returns the index at which a value begins: after a byte order mark and white space. */
export const findValueStart = (json: JsonText): number => withoutBlanks(json, findTextStart(json), json.length).start
