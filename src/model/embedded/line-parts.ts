/** The parts of a line: its sentences, and what stands between signs. */

/** Where a part of a line begins and ends. */
export interface Place {
  start: number
  end: number
}

/** The end of a sentence, a colon, and the signs that this summarizer writes between the parts of a line. */
const BREAK = /(?<=[.!?。！？:])\s+(?:(?:=>|\||\/)\s)?|\s(?:=>|\||\/)\s/g

/** More parts of a line are one: each run of parts is compared. */
const MAX_PARTS = 60

const CODE = /`[^`\n]{1,300}`/g

/** Returns the sentences of a line, and what stands between the signs in it. */
export function partsOf(body: string): Place[] {
  const parts: Place[] = []
  let start = 0
  const codes = Array.from(body.matchAll(CODE), ({ index, 0: code }) => ({ start: index, end: index + code.length }))
  for (const { index, 0: sign } of body.matchAll(BREAK)) {
    if (parts.length === MAX_PARTS) break
    // The pipes of a command are no ends of sentences.
    while (codes[0] !== undefined && codes[0].end <= index) codes.shift()
    if (codes[0] !== undefined && codes[0].start < index) continue
    parts.push({ start, end: index })
    start = index + sign.length
  }
  return [...parts, { start, end: body.length }]
}

const SIGN = /\s(?:=>|[|/])\s/
const SIGNS_AROUND = /^(?:=>|[|/])(?:\s|$)|\s(?:=>|[|/])$/g

/** Joins what is left of a line: three dots stand for what is left out between sentences. */
export function joinParts(texts: readonly string[]): string {
  const isList = texts.some((text) => SIGN.test(` ${text} `))
  const parts = texts.map((text) => text.trim().replace(SIGNS_AROUND, '').trim())
  const left = parts.filter((text) => text !== '')
  if (isList) return left.join(' | ').replace(/: \| /g, ': ')
  return parts[0] === '' ? `… ${left.join(' … ')}` : left.join(' … ')
}
