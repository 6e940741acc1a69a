import { GOAL_LABELS, HEADINGS } from '../text/summary-headings.ts'

/** Returns whether an answer of the model is a summary without words around it, as Roo and Kilo store it. */
export const isBareSummary = (text: string): boolean => BARE_SUMMARIES.some((parts) => containsAll(text, parts))

const USER_MESSAGES = `\n${HEADINGS.userMessages}\n(Word for word, newest first.)\n`

/** Patterns of bare summaries: those of this service, and those that models write by Roo's prompt. */
const BARE_SUMMARIES = [
  [`${HEADINGS.goal}\n`, `\n${HEADINGS.constraints}\n`, `\n${HEADINGS.progress}\n`],
  [USER_MESSAGES],
  ['Context:', '1. Previous Conversation:', '2. Current Work:'],
]

const containsAll = (text: string, parts: readonly string[]): boolean => parts.every((part) => text.includes(part))

/** One short line that ends in a colon; the summary may begin on it. */
const INTRODUCTION = /^[^\n#<>]{1,200}:[ \t]{0,4}(?:\n\s{0,20}|(?=[#<]))/

/** The whole text in one element whose name ends in `summary`. */
const IN_TAGS = /^<([\w-]{0,30}summary)>([^]*)<\/\1>$/i

/**
 * Returns the summary of this service that a text is, after an introduction or in tags, whoever says it: a client of any name may have put
 * it there. Only marks that no user writes count.
 * @param isFollowed whether the user says something later: an introduction may also be a request about a summary
 * @returns undefined for any other text
 */
export function readBareSummary(text: string, isFollowed: boolean): string | undefined {
  const trimmed = text.trim()
  const introduction = isFollowed ? (INTRODUCTION.exec(trimmed)?.[0] ?? '') : ''
  const body = trimmed.slice(introduction.length)
  const tagged = IN_TAGS.exec(body)?.[2]
  const summary = (tagged ?? body).trim()
  if (!isOwn(summary)) return undefined
  return tagged === undefined && endsInWords(summary) ? undefined : summary
}

/** Returns whether a text is a summary with the marks of this service: what its code writes, or all sections of its prompt. */
const isOwn = (text: string): boolean =>
  text.startsWith('## ') && (hasLabel(text) || text.includes(USER_MESSAGES) || hasAllSections(text))

/** Returns whether a text begins with the goal as the embedded summarizer writes it. */
const hasLabel = (text: string): boolean =>
  Object.values(GOAL_LABELS).some((label) => text.startsWith(`${HEADINGS.goal}\n${label}`)) &&
  text.includes(`\n${HEADINGS.progress}\n`)

const SECTIONS = [
  ...[HEADINGS.goal, HEADINGS.constraints, HEADINGS.progress, HEADINGS.state],
  ...[HEADINGS.decisions, HEADINGS.nextSteps, HEADINGS.context],
]

/** Returns whether a text has the sections that a model writes by the prompt of this service, in order. */
function hasAllSections(text: string): boolean {
  const places = SECTIONS.map((heading) => `\n${text}`.indexOf(`\n${heading}\n`))
  return places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1))
}

/** Returns whether the last paragraph is plain words: a request that the client has put below the summary. */
const endsInWords = (text: string): boolean => /^[^#>(<|`*\-\d\s]/.test(text.slice(text.lastIndexOf('\n\n') + 2))
