import type { WorkContext } from '../../jobs/protocol.ts'
import { sumTokens, type TokensBetween } from '../../plan/context-size.ts'
import type { CompactionPlan } from '../../plan/plan-compaction.ts'
import { findRegion, type Region } from '../../plan/region.ts'
import { resolveReserveTokens, withOwnLimits } from '../../plan/settings.ts'
import type { SessionForm } from '../../schemas/compaction-request.ts'
import type { Entry } from '../../session/entry.ts'
import { beginningsOf, type CoveredEntries } from './covered-entries.ts'

/** A planned session for which a prepared summary is looked for. */
export interface PreparableSession {
  branch: readonly Entry[]
  plan: CompactionPlan
  request: Partial<Omit<SessionForm, 'entries' | 'messages'>>
}

/** Returns the key of the summary up to the cut of a plan. */
export function keyOfPlan(session: PreparableSession, context: WorkContext): string | undefined {
  const { region, cutAt } = measureSession(session)
  let key: string | undefined
  for (const beginning of beginningsOf(coveredOf(session, region, context), cutAt)) key = beginning.key
  return key
}

/** Returns the considered region of a planned session, its tokens, and the index of the first message that the plan keeps. */
export function measureSession({ branch, plan }: PreparableSession): {
  region: Region
  tokens: TokensBetween
  cutAt: number
} {
  const region = findRegion(branch)
  const first = plan.kept[0]?.id
  return { region, tokens: sumTokens(region), cutAt: branch.findIndex(({ id }) => id === first) }
}

/** Returns what the keys of the summaries of a session are made from. */
export function coveredOf({ request }: PreparableSession, region: Region, context: WorkContext): CoveredEntries {
  const { settings = {}, style, customInstructions, promptOverride, context: lines } = request
  const { transcriptTokens, maxSummaryTokens, redact } = withOwnLimits(context, settings)
  const shape = {
    ...{ owner: context.prepared?.owner, reserve: resolveReserveTokens(settings), transcriptTokens, maxSummaryTokens },
    ...{ redact, style, customInstructions, promptOverride, context: lines },
  }
  return { region, shape, transcriptTokens }
}
