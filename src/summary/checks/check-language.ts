import { detectLanguage } from './detect-language.ts'
import { takeProse } from './take-prose.ts'

/** Users change their language: what they wrote last counts. */
const NEWEST_CHARACTERS = 4000

/** Asking takes a while, and of short messages there may be a hundred: a little more prose says little more. */
const GROWTH = 1.25

/**
 * Tells in which language the user writes, and in which a summary is written.
 * @param userTexts oldest first
 * @returns ISO 639-1 codes; null where it cannot be told with some certainty
 */
export function checkLanguage(
  userTexts: readonly string[],
  summary: string,
): { expected: string | null; found: string | null } {
  return { expected: languageOfNewest(userTexts) ?? null, found: detectLanguage(summary) ?? null }
}

/** The newest text that says enough, together with those after it. */
function languageOfNewest(texts: readonly string[]): string | undefined {
  let newest = ''
  let askedLength = 0
  for (let index = texts.length - 1; index >= 0 && newest.length < NEWEST_CHARACTERS; index--) {
    // A message this long is a paste; what is said of it stands at its beginning.
    newest = `${(texts[index] ?? '').slice(0, NEWEST_CHARACTERS)}\n${newest}`
    const isAll = index === 0 || newest.length >= NEWEST_CHARACTERS
    const { length } = takeProse(newest)
    if (length < askedLength * GROWTH && !isAll) continue
    askedLength = length
    const language = detectLanguage(newest)
    if (language !== undefined) return language
  }
  return undefined
}
