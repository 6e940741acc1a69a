import { takeFacts } from '../../src/summary/draft.ts'
import { readSummary } from '../../src/summary/summary.ts'

/** Returns the text of a summary without the sections that only code writes, and what they say. */
export function takeFromText(text: string) {
  const { summary, ...facts } = takeFacts(readSummary(text))
  return { text: summary.text, ...facts }
}
