import { isPlainObject } from '../../session/entry.ts'

const LABEL = 'PRIVATE KEY-----'
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----\s{0,20}$/
const END = /-----END [A-Z0-9 ]{0,60}PRIVATE KEY/

/** A line of a key, alone in its text. */
const KEY_LINE = /^\s{0,20}[A-Za-z0-9+/=]{4,200}\s{0,20}$/

/** Lines of a key that have no secret: headers, and the blank line behind them. */
const OTHER_LINE = /^(?:[A-Z][A-Za-z-]{2,30}: |\s{0,20}$)/

/**
 * Returns the elements of a list with the lines of private keys replaced, where each line is an element, or a text in an
 * object: `["-----BEGIN PRIVATE KEY-----", "MIIE...", ...]`.
 */
export function redactKeyLines(list: readonly unknown[], redact: (text: string) => string): readonly unknown[] {
  let isInKey = false
  const redactLine = (line: string): string => {
    if (BEGIN.test(line.slice(-200))) isInKey = true
    else if (isInKey && KEY_LINE.test(line.slice(0, 300)))
      return redact(`-----BEGIN ${LABEL}\n${line.trim()}\n-----END ${LABEL}`)
    else if (!OTHER_LINE.test(line) || END.test(line.slice(0, 200))) isInKey = false
    return line
  }
  return list.map((element) => {
    if (typeof element === 'string') return redactLine(element)
    if (!isPlainObject(element)) return element
    return redactTexts(element, redactLine)
  })
}

const redactTexts = (element: object, redactLine: (line: string) => string): object =>
  Object.fromEntries(
    Object.entries(element).map(([key, child]: [string, unknown]) => [
      key,
      typeof child === 'string' ? redactLine(child) : child,
    ]),
  )
