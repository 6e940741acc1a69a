import { extractProse, detectLanguage, languageOfProse } from './detect-language.ts'
import { isInAnotherLanguage } from './function-words.ts'

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
