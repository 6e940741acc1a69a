import { sumTokens } from '../../src/plan/context-size.ts'
import { findRegion } from '../../src/plan/region.ts'
import { buildEntries, type EntryDraft } from './build-entries.ts'

/** The region of a branch that is made of drafts, and how its tokens are counted. */
export function regionOf(drafts: readonly EntryDraft[]) {
  const region = findRegion(buildEntries(drafts))
  return { region, tokens: sumTokens(region) }
}
