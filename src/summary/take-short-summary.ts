/** A model may forget the closing tag: then the short summary goes on to the text's end. */
const SHORT_SUMMARY = /<short-summary>([\s\S]*?)(?:<\/short-summary>|$)/i

/**
 * Takes the closing short-summary tag, which the prompt asks for, out of a draft.
 * @returns the text without it, and the short summary where there was one that is not blank
 */
export function takeShortSummary(draft: string): { text: string; shortSummary?: string } {
  const shortSummary = SHORT_SUMMARY.exec(draft)?.[1]?.replace(/\s+/g, ' ').trim()
  const text = draft.replace(SHORT_SUMMARY, '').trim()
  return shortSummary === undefined || shortSummary === '' ? { text } : { text, shortSummary }
}
