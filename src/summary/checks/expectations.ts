import type { AskedSections } from './read-asked-sections.ts'

/** What a summary is held against. What is left out is not checked. */
export interface Expectations {
  sections?: AskedSections
  /** All that the summary may take facts from, in the order in which it was said. */
  sources?: readonly string[]
  /** What the user said, oldest first: it tells the language. */
  userTexts?: readonly string[]
  /** Data in which nobody may give orders: outputs of tools, and what was fetched. */
  foreignTexts?: readonly string[]
  /** What it replaces, and what it was allowed, in tokens. */
  size?: { replacedTokens: number; limitTokens: number }
}
