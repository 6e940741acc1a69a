import { fillTemplate, type Templates } from '../../prompt/templates.ts'
import { headingName } from '../../text/sections.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { summaryLimitTokens } from '../../plan/settings.ts'
import { findMissingSections, type Summary } from '../summary.ts'
import { detectLanguage, extractProse, languageOfProse } from './detect-language.ts'
import type { Expectations, ExpectedSections } from './expectations.ts'
import { isInAnotherLanguage } from './function-words.ts'
import { checkGrounding } from './grounding.ts'

/** The findings of the checks for one text; a check that was not requested is left out. */
export interface Findings {
  /** The missing headings; `needsModel` if code cannot write all that belongs below them. */
  sections?: { missing: string[]; needsModel: boolean }
  grounding?: { checked: number; unknown: string[] }
  language?: { expected: string | null; found: string | null }
  /** The tokens of the text, and their limit. */
  size?: { tokens: number; limitTokens: number }
}

/** Compares a summary with its expectations, in time linear in the length of the sources. */
export function inspectSummary(summary: Summary, expected: Expectations): Findings {
  const { text } = summary
  const { sections, sources, userTexts, size } = expected
  return {
    ...(sections === undefined ? {} : { sections: inspectSections(summary, sections) }),
    ...(sources === undefined ? {} : { grounding: checkGrounding(text, sources) }),
    ...(userTexts === undefined ? {} : { language: checkLanguage(userTexts, text) }),
    ...(size === undefined
      ? {}
      : {
          size: {
            tokens: estimateTextTokens(text),
            limitTokens: summaryLimitTokens(size.replacedTokens, size.limitTokens),
          },
        }),
  }
}

/** A summary without this share of its headings does not have the form that was asked for. */
const FORMLESS_SHARE = 0.5

function inspectSections(summary: Summary, { headings, areOptional, needed = [] }: ExpectedSections) {
  const missing = findMissingSections(summary, headings)
  if (missing.length === 0 || (areOptional && missing.length < headings.length))
    return { missing: [], needsModel: false }
  const names = new Set(missing.map(headingName))
  const required = new Set(headings.map(headingName))
  const isMissing = (group: readonly string[]): boolean => {
    const wanted = group.map(headingName).filter((name) => required.has(name))
    return wanted.length > 0 && wanted.every((name) => names.has(name))
  }
  return { missing, needsModel: missing.length >= headings.length * FORMLESS_SHARE || needed.some(isMissing) }
}

/**
 * Describes those faults of a summary that only a model can repair, in the words of prompts/fault-*.md. Code fixes the
 * others: it adds empty sections, and marks unknown facts.
 * @returns a sentence for each fault; an empty list where the summary needs no call
 */
export function describeFaults(findings: Findings, templates: Templates): string[] {
  const { sections, language, size } = findings
  const faults: string[] = []
  if (sections?.needsModel === true)
    faults.push(fillTemplate(templates['fault-sections'], { headings: list(sections.missing) }))
  if (language !== undefined && isOtherLanguage(language))
    faults.push(
      fillTemplate(templates['fault-language'], { expected: nameOf(language.expected), found: nameOf(language.found) }),
    )
  if (size !== undefined && size.tokens > size.limitTokens)
    faults.push(fillTemplate(templates['fault-size'], { tokens: String(size.tokens), limit: String(size.limitTokens) }))
  return faults
}

/** Whether the language of a summary differs from the user's language, where both are known. */
export const isOtherLanguage = ({ expected, found }: NonNullable<Findings['language']>): boolean =>
  expected !== null && found !== null && expected !== found

/** The maximum number of items in a list: its beginning is enough for a repair. */
const MAX_NAMED = 40

const list = (items: readonly string[]): string =>
  items
    .slice(0, MAX_NAMED)
    .map((item) => JSON.stringify(item))
    .join(', ')

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const nameOf = (code: string | null): string => (code === null ? '' : (languageNames.of(code) ?? code))

/**
 * Detects the language of the user, and the language of a summary. A difference costs a second model call, so that both
 * are null where they are uncertain.
 * @param userTexts oldest first
 * @returns ISO 639-1 codes
 */
export function checkLanguage(
  userTexts: readonly string[],
  summary: string,
): { expected: string | null; found: string | null } {
  return { expected: languageOfUser(userTexts) ?? null, found: detectLanguage(summary) ?? null }
}

/** A longer message may be a paste as a whole. */
const MAX_TYPED_CHARACTERS = 1000

/**
 * Returns the language of the newest messages that the user has typed. Long messages may be pasted: they count where no
 * others are certain, and a newer one in another language makes the result uncertain.
 */
function languageOfUser(texts: readonly string[]): string | undefined {
  const newest = readNewest(texts)
  const isTyped = ({ prose }: Read): boolean => prose.length <= MAX_TYPED_CHARACTERS
  const typed = languageOfNewest(newest.filter(isTyped))
  const newer = typed === undefined ? newest : newest.slice(0, newest.indexOf(typed.oldest))
  const pasted = languageOfNewest(newer.filter((message) => !isTyped(message)))
  if (typed === undefined || pasted === undefined) return (typed ?? pasted)?.language
  return typed.language === pasted.language ? typed.language : undefined
}

interface Read {
  prose: string
  /** The prose of its first and its last line: around a paste, they are the user's own words. */
  edges: string[]
}

/** Of a longer message, the beginning and the end are read: its middle is pasted. */
const MAX_PART_CHARACTERS = 2000

/** Users change their language: only their newest messages count. */
const NEWEST_CHARACTERS = 20_000

/** Returns the newest messages, the newest first. Each is searched once: a session may have thousands of short ones. */
function readNewest(texts: readonly string[]): Read[] {
  const read: Read[] = []
  let left = NEWEST_CHARACTERS
  for (let index = texts.length - 1; index >= 0 && left > 0; index--) {
    const text = withoutMiddle((texts[index] ?? '').trim()).replace(ADDED_BY_CLIENTS, ' ')
    left -= text.length
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const edges = [lines[0] ?? '', lines.at(-1) ?? ''].map(extractProse)
    read.push({ prose: extractProse(text), edges })
  }
  return read
}

const withoutMiddle = (text: string): string =>
  text.length <= 2 * MAX_PART_CHARACTERS
    ? text
    : `${text.slice(0, MAX_PART_CHARACTERS)}\n${text.slice(-MAX_PART_CHARACTERS)}`

/** Elements and notes in brackets, mostly English. The text has at most 4,000 characters. */
const ADDED_BY_CLIENTS = /<([a-z][\w-]{0,40})>[^]{0,2000}?<\/\1>|^\[[^\]\n]*\]$/gm

/**
 * Detection takes time, and there may be a hundred short messages: it is repeated when there is this much more prose.
 */
const GROWTH = 1.25

/**
 * Returns the language of the newest messages, as few of them as are needed for a certain result, and the oldest of them.
 * A message that begins or ends in another language makes it uncertain: the rest of that message may be a paste.
 */
function languageOfNewest(newest: readonly Read[]): { language: string; oldest: Read } | undefined {
  let prose = ''
  let askedLength = 0
  for (const [index, oldest] of newest.entries()) {
    prose = `${oldest.prose} ${prose}`
    if (prose.length < askedLength * GROWTH && index < newest.length - 1) continue
    askedLength = prose.length
    const language = languageOfProse(prose)
    if (language === undefined) continue
    const edges = newest.slice(0, index + 1).flatMap((message) => message.edges)
    return edges.some((edge) => isInAnotherLanguage(edge, language)) ? undefined : { language, oldest }
  }
  return undefined
}
