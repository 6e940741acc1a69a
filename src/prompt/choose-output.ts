import { noteOpaque } from './note-opaque.ts'
import { truncateMiddle } from './truncate-middle.ts'

/** How much of an output is shown. What failed is worth more: why it did stands somewhere in it. */
const MAX_FAILED_CHARACTERS = 2000
const MAX_CHARACTERS = 800

/** What the output's beginning and its end have at least; the lines between them that tell of errors come next. */
const HEAD_CHARACTERS = 100
const TAIL_CHARACTERS = 250

/** One line of a stack or of a compiler may be long; its beginning says what it is. */
const MAX_LINE_CHARACTERS = 200

/** Lines that say what went wrong: words of failure, exit codes, stack tops, the marks of test runners. */
const TELLS_ERROR =
  /\b(?:errors?|fail(?:ed|ures?|s)?|exceptions?|panic(?:ked)?|fatal|traceback|assert\w*|cannot|denied|refused|unexpected|undefined|not found|no such|exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d*)\b|\b\w*(?:Error|Exception)\b|^\s*(?:FAIL|not ok|✖|✗|×|E )/i

const FEW_LINES = 8

/**
 * How far from its ends an output is looked at: errors stand at the end, and sometimes at the beginning; of what went
 * well little is shown.
 */
const LOOK = { failed: { head: 16_000, tail: 64_000 }, succeeded: { head: 2000, tail: 6000 } } as const

/** The note that the system prompt explains. */
const gapNote = (characters: number): string => `[... ${characters} characters left out ...]`

export interface OutputTraits {
  hasFailed: boolean
  /** Error lines that the reader finds elsewhere: they yield to those that stand here alone. Those shown here join them. */
  told: Set<string>
}

/**
 * Chooses what a model reads of an output: its head, its tail, and between them the lines that tell of errors, in order,
 * with notes of what is missing; lines over 200 characters lose their middle. What no reader can use becomes a note of
 * its size first.
 */
export function chooseOutput(output: string, { hasFailed, told }: OutputTraits): string {
  const limit = hasFailed ? MAX_FAILED_CHARACTERS : MAX_CHARACTERS
  const { head: headLook, tail: tailLook } = hasFailed ? LOOK.failed : LOOK.succeeded
  if (output.length > headLook + tailLook) return chooseEnds(output, { headLook, tailLook, limit, told })
  const text = noteOpaque(output)
  if (text.length <= limit) return text
  return chooseLines(text.split('\n'), { limit, told, unseen: -1 })
}

interface Choice {
  limit: number
  told: Set<string>
  /** The line that stands for what nobody has looked at; -1 for none. */
  unseen: number
}

/** Chooses from both ends of a long output; what is between them is one line that is never shown. */
function chooseEnds(
  output: string,
  { headLook, tailLook, limit, told }: { headLook: number; tailLook: number } & Omit<Choice, 'unseen'>,
): string {
  const headEnd = Math.max(output.lastIndexOf('\n', headLook), 0) || headLook
  const tailStart = output.indexOf('\n', output.length - tailLook) + 1 || output.length - tailLook
  const head = noteOpaque(output.slice(0, headEnd)).split('\n')
  const tail = noteOpaque(output.slice(tailStart)).split('\n')
  const lines = [...head, output.slice(headEnd + 1, Math.max(headEnd + 1, tailStart - 1)), ...tail]
  return chooseLines(lines, { limit, told, unseen: head.length })
}

function chooseLines(lines: readonly string[], { limit, told, unseen }: Choice): string {
  const head = countLines(lines, { characters: HEAD_CHARACTERS, step: 1 })
  const tail = countLines(lines, { characters: TAIL_CHARACTERS, step: -1 })
  // Of a few huge lines none tells more than another: the middle goes.
  if (lines.length < FEW_LINES || head + tail === 0) return truncateMiddle(lines.join('\n'), limit)
  return join(lines, pick(lines, { head, tail, limit, told, unseen }))
}

/** How many lines from one end fit so many characters. */
function countLines(lines: readonly string[], { characters, step }: { characters: number; step: 1 | -1 }): number {
  let count = 0
  for (let left = characters; count < lines.length; count++) {
    left -= (lines.at(step === 1 ? count : -1 - count) ?? '').length + 1
    if (left < 0) break
  }
  return count
}

/** What a note of a gap takes. */
const GAP_CHARACTERS = gapNote(10_000).length + 1

interface Shares {
  head: number
  tail: number
  limit: number
  told: Set<string>
  unseen: number
}

/**
 * The lines that are shown, by their place: those of head and tail; between them those that tell of errors, the last ones
 * first, since they stopped the command, but for those told elsewhere; and what room is left goes to tail and head again.
 */
function pick(lines: readonly string[], { head, tail, limit, told, unseen }: Shares): Set<number> {
  const picked = new Set<number>()
  // Between n runs of lines, and around them, there are n + 1 gaps.
  let left = limit - GAP_CHARACTERS
  const take = (index: number): boolean => {
    if (index === unseen) return false
    const isBeside = picked.has(index - 1) || picked.has(index + 1)
    const cost = Math.min(lines[index]?.length ?? 0, MAX_LINE_CHARACTERS) + 1 + (isBeside ? 0 : GAP_CHARACTERS)
    if (cost > left) return false
    left -= cost
    return picked.add(index).has(index)
  }
  const tailStart = lines.length - tail
  for (let index = 0; index < head; index++) take(index)
  for (let index = lines.length - 1; index >= tailStart; index--) take(index)
  const errors = findErrorLines(lines, { start: head, end: tailStart, unseen })
  const isTold = ([line]: [string, number]): boolean => told.has(line)
  for (const [, index] of errors.filter((error) => !isTold(error))) take(index)
  for (const [, index] of errors.filter(isTold)) take(index)
  for (const [line, index] of errors) if (picked.has(index)) told.add(line)
  for (let index = tailStart - 1; index >= head && (picked.has(index) || take(index)); index--);
  for (let index = head; index < tailStart && (picked.has(index) || take(index)); index++);
  return picked
}

/** Distinct lines that tell of errors, with their places, the last first. */
function findErrorLines(
  lines: readonly string[],
  { start, end, unseen }: { start: number; end: number; unseen: number },
): [string, number][] {
  const places = new Map<string, number>()
  for (let index = end - 1; index >= start; index--) {
    if (index === unseen) continue
    const line = (lines[index] ?? '').slice(0, 1000).trim()
    if (!places.has(line) && TELLS_ERROR.test(line)) places.set(line, index)
  }
  return [...places]
}

function join(lines: readonly string[], picked: ReadonlySet<number>): string {
  const shown: string[] = []
  let gap = 0
  const closeGap = (): void => {
    if (gap > 0) shown.push(gapNote(gap))
    gap = 0
  }
  for (const [index, line] of lines.entries()) {
    if (!picked.has(index)) gap += line.length + 1
    else {
      closeGap()
      shown.push(
        line.length > MAX_LINE_CHARACTERS ? truncateMiddle(line, MAX_LINE_CHARACTERS).replaceAll('\n', ' ') : line,
      )
    }
  }
  closeGap()
  return shown.join('\n')
}
