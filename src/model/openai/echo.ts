/** Whatever texts a call has sent. */
export interface SentText {
  includes(text: string): boolean
}

export const NOTHING_SENT: SentText = { includes: () => false }

/** A shorter error text says something of its own: an echo of a prompt is as long as a prompt. */
const MIN_ECHO_CHARACTERS = 1000

/** Parts of an error text that are looked up in what was sent. A shorter part is in many texts. */
const MIN_PART_CHARACTERS = 40
const MAX_PARTS = 50

/**
 * Returns an error text without what it repeats of the request: a session may contain any wording of an error. FastAPI
 * repeats a rejected value as `input` (docs.pydantic.dev, "Error handling"), others somewhere in their text.
 */
export function withoutEcho(errorText: string, sent: SentText): string {
  const text = withoutInput(errorText)
  if (text.length < MIN_ECHO_CHARACTERS) return text
  // Escapes and quotes are where the text differs from what was sent.
  const parts = text.split(/\\u[0-9a-f]{4}|\\[a-z"'\\/]|[\r\n"]/i)
  const suspects = parts.filter((part) => part.trim().length >= MIN_PART_CHARACTERS).slice(0, MAX_PARTS)
  const echoed = new Set(suspects.filter((part) => sent.includes(part.trim())))
  return echoed.size === 0 ? text : parts.filter((part) => !echoed.has(part)).join(' ')
}

/** A member of JSON, or of a Python dictionary. */
const INPUT_MEMBER = /\\?["']input\\?["']\s?:|\binput_value=/

function withoutInput(text: string): string {
  if (!INPUT_MEMBER.test(text)) return text
  // The SDK writes the status before the body.
  const start = Math.max(0, text.search(/[{[]/))
  const keep = (name: string, value: unknown): unknown => {
    if (name === 'input') return undefined
    return typeof value === 'string' ? beforeInput(value) : value
  }
  try {
    return text.slice(0, start) + JSON.stringify(JSON.parse(text.slice(start), keep))
  } catch {
    return beforeInput(text)
  }
}

/** Where the value ends is unknown: it may have been cut off, or it may not be JSON. */
function beforeInput(text: string): string {
  const at = INPUT_MEMBER.exec(text)?.index
  return at === undefined ? text : text.slice(0, at)
}

/**
 * Finds the first number that one of the patterns captures, in their order.
 * @param sent where the same wording occurs as well, the number may come from there: it is ignored
 */
export function findNumber(patterns: readonly RegExp[], text: string, sent: SentText): number | undefined {
  for (const pattern of patterns) {
    const [wording, digits] = pattern.exec(text) ?? []
    if (wording !== undefined && digits !== undefined && !sent.includes(wording)) return Number(digits)
  }
  return undefined
}
