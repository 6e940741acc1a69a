import { readHeading } from '../../text/sections.ts'
import type { Part } from '../../text/summary-parts.ts'
import { MAX_TITLE_CHARACTERS, partOf } from './summary-headings.ts'

/** A line that is a heading without being one of Markdown. */
interface TitleLine {
  title: string
  /** What follows the title on its line. */
  rest: string
  /** What the titles of one summary have in common: their indentation, a number, and whether they are bold. */
  form: string
  /** The number before it; undefined where it has none. */
  number: number | undefined
  /** Whether it has a number, or is in capital letters. */
  isEnumerated: boolean
}

/** A number, spaces and stars before a title. */
const TITLE_START = /^( {0,3})(?:(\d{1,2})[.)] {1,3})?(\*\*)?(?=[\p{Lu}\p{Lo}])/u

/**
 * Returns the title with which a line may begin: `1. Current Work: ...` (Claude Code, Roo), `COMPLETED: ...` (OpenHands),
 * `**Next Steps**`, or `Next steps:` alone on its line.
 */
function readTitleLine(line: string): TitleLine | undefined {
  const [start, indent = '', digits, stars = ''] = TITLE_START.exec(line) ?? []
  if (start === undefined) return undefined
  const head = line.slice(start.length, start.length + MAX_TITLE_CHARACTERS)
  const colon = head.indexOf(':')
  const title = (colon < 0 ? head : head.slice(0, colon)).replaceAll('*', '').trim()
  const after = colon < 0 ? '' : line.slice(start.length + colon + 1)
  const rest = (after.startsWith('**') ? after.slice(2) : after).trim()
  const isBold = stars !== '' && (colon >= 0 || head.trimEnd().endsWith('**'))
  const isCapital = title === title.toUpperCase() && title !== title.toLowerCase()
  const number = digits === undefined ? undefined : Number(digits)
  const isEnumerated = number !== undefined || isCapital
  const form = [indent.length, number === undefined ? '' : '1', stars].join()
  return isBold || (colon >= 0 && (rest === '' || isEnumerated))
    ? { title, rest, form, number, isEnumerated }
    : undefined
}

/** As many enumerated titles are the form of a summary; fewer are items of a list. */
const MIN_TITLES = 3

/** A line that is nothing but a bold title, or one with a number. */
const TITLE_ONLY = /^ {0,3}(?:\d{1,2}[.)] {1,3}(?=\S[^*]*:$|\*\*)|(?=\*\*))(?:[^*]{1,80}|\*\*[^*]{1,80}\*\*:?)$/

/** The parts in which an unknown title may be a step or a demand. */
const KEPT: ReadonlySet<Part | undefined> = new Set<Part>([
  'constraints',
  'inProgress',
  'pending',
  'blocked',
  'nextSteps',
])

/**
 * Returns the titles in the lines of a summary that are no headings of Markdown: those with a known name, and others that are written
 * as known ones of the same summary are, and are below no heading of Markdown, and no title of `KEPT`.
 */
export function readTitles(lines: readonly string[]): (TitleLine | undefined)[] {
  const read = lines.map(readTitleLine)
  const known = read.filter((one) => one !== undefined && partOf(one.title) !== undefined)
  const isForm = known.filter((one) => one?.isEnumerated).length >= MIN_TITLES
  const forms = new Set(known.map((one) => one?.form))
  let isBelowHeading = false
  let above: Part | undefined
  let last = 0
  return read.map((one, at) => {
    const line = lines[at] ?? ''
    isBelowHeading ||= readHeading(line) !== undefined
    // An item of a list may have the same form.
    const isItem = one?.isEnumerated === true && (one.number !== undefined || one.rest !== '')
    if (one === undefined || (isItem && !isForm)) return undefined
    const part = partOf(one.title)
    const isFree = !isBelowHeading && !KEPT.has(above)
    const isAlike = isFree && forms.has(one.form) && (one.number ?? Infinity) > last && TITLE_ONLY.test(line)
    if (part === undefined && !isAlike) return undefined
    above = part
    last = one.number ?? 0
    return one
  })
}
