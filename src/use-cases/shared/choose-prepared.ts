import { Problem } from '../../errors.ts'
import type { SummaryLookup, WorkContext } from '../../jobs/protocol.ts'
import type { TokensBetween } from '../../plan/context-size.ts'
import { findValidCutPoints } from '../../plan/choose-cut.ts'
import { findRegion } from '../../plan/region.ts'
import { computeThreshold, HISTORY_SHARE, limitTokens, withOwnLimits } from '../../plan/settings.ts'
import { defined } from '../../text/defined.ts'
import { areSameResults, beginningsOf, type Beginning } from './covered-entries.ts'
import { coveredOf, keyOfPlan, measureSession, type PreparableSession } from './preparable-session.ts'
import { digestOfAdditions, readPrepared, type PreparedDrafts } from './prepared-drafts.ts'

/** A prepared summary that a request can use. */
export interface PreparedChoice extends Pick<KnownBeginning, 'at' | 'use' | 'isNear'> {
  kind: 'prepared'
  /** Left out while it is being written, and after a failure. */
  prepared?: PreparedDrafts
  hasFailed?: true
}

interface KnownBeginning extends Beginning {
  /** `whole`: at once. `earlier`: as the earlier summary, and a model reads what came after it. */
  use: 'whole' | 'earlier'
  /** Whether less than a step was added between it and the cut of the plan. */
  isNear: boolean
  /** Whether it ends at that cut. */
  isCut: boolean
}

/** Who asks for a prepared summary. By default, a compaction. */
interface Asking {
  /** False for a plan: it says which one would be used, and has no drafts. */
  mayWait?: boolean
  /** A preparation continues an earlier one, and has the cut of its plan. */
  isPreparation?: boolean
  /** A part of a text: all parts of it come from one summary. */
  isPart?: boolean
}

/** The share of the window that a session grows by from one preparation to the next. */
const STEP_SHARE = 0.15

/**
 * Returns the prepared summary that a compaction uses, or what must be looked up before that is known; undefined for none.
 * @throws Problem `not-prepared` if the request wants nothing else than one that it can use at once
 */
export function choosePrepared(
  session: PreparableSession,
  context: WorkContext,
  asking: Asking = {},
): SummaryLookup | PreparedChoice | undefined {
  const { prepared, summary } = session.request
  if (prepared === 'never' || summary !== undefined) return undefined
  const hasModel = context.windowLimitTokens !== undefined
  const chosen = hasModel ? findPrepared(session, context, asking) : undefined
  if (prepared !== 'only' || asking.mayWait === false) return chosen
  if (chosen?.kind === 'lookup' && (chosen.whole.length > 0 || chosen.pin !== undefined))
    return { ...chosen, earlier: [], isOnly: true }
  if (chosen?.kind === 'prepared' && chosen.use === 'whole') return chosen
  throw new Problem('not-prepared', hasModel ? NOT_PREPARED : NEVER_PREPARED)
}

const NOT_PREPARED =
  'No summary is prepared that this compaction can use at once. POST the same body without `prepared` to /compaction/prepare first, or leave out `prepared` here.'

const NEVER_PREPARED =
  'This service has no model, so it prepares no summaries: a compaction needs no model call anyway. Leave out `prepared`.'

function findPrepared(
  session: PreparableSession,
  context: WorkContext,
  { mayWait = true, isPreparation, isPart }: Asking,
): SummaryLookup | PreparedChoice | undefined {
  if (context.prepared === undefined || context.prepared.found === null) return undefined
  const { keys, found } = context.prepared
  const pin = isPart === true && found === undefined ? keyOfPlan(session, context) : undefined
  if (keys.length === 0 && pin === undefined) return undefined
  const all = knownBeginnings(session, context, new Set(keys))
  const known = isPreparation === true ? forPreparation(all, mayWait) : all
  if (found === undefined)
    return known.length === 0 && pin === undefined ? undefined : { ...lookupOf(known, mayWait), ...defined({ pin }) }
  const one = known.find(({ key }) => key === found.key)
  if (one === undefined) return undefined
  const { at, use, isNear } = one
  const { drafts, hasFailed } = found
  if (drafts === undefined) return defined({ kind: 'prepared' as const, at, use, isNear, hasFailed })
  const prepared = verified(drafts, { session, at, context })
  return prepared && { kind: 'prepared', at, use, isNear, prepared }
}

/**
 * Returns what a preparation needs: before it, whether one that is near is there or is being written; then, all that it can
 * continue.
 */
const forPreparation = (all: readonly KnownBeginning[], isWritten: boolean): KnownBeginning[] =>
  all.flatMap((one): KnownBeginning[] => {
    if (isWritten) return one.isCut ? [] : [{ ...one, use: 'earlier' }]
    return one.isNear ? [{ ...one, use: 'whole' }] : []
  })

/** Returns the lookup of some beginnings, which are the newest first. */
function lookupOf(known: readonly Pick<KnownBeginning, 'key' | 'use'>[], mayWait: boolean): SummaryLookup {
  const keysFor = (use: KnownBeginning['use']): string[] =>
    known.flatMap((one) => (one.use === use ? [one.key] : [])).slice(0, MAX_LOOKED_UP)
  return { kind: 'lookup', whole: keysFor('whole'), earlier: keysFor('earlier'), mayWait }
}

/** A session has some few preparations between two compactions. */
const MAX_LOOKED_UP = 32

/** Returns the beginnings up to the cut of a plan whose keys are known, the newest first. */
function knownBeginnings(
  session: PreparableSession,
  context: WorkContext,
  keys: ReadonlySet<string>,
): KnownBeginning[] {
  const { region, tokens, cutAt } = measureSession(session)
  const stepTokens = stepOf(session)
  const judge = whole({ session, tokens, stepTokens }, context)
  const known: KnownBeginning[] = []
  for (const beginning of beginningsOf(coveredOf(session, region, context), cutAt))
    if (keys.has(beginning.key))
      known.push({
        ...beginning,
        use: judge(beginning.at) ? 'whole' : 'earlier',
        isNear: tokens(beginning.at, cutAt) < stepTokens,
        isCut: beginning.at === cutAt,
      })
  return known.reverse()
}

/** Returns the tokens of a step, by our estimate. Without a known window, the context is what is known to fit into it. */
const stepOf = ({ plan, request: { settings = {} } }: PreparableSession): number =>
  (STEP_SHARE * (settings.contextWindow ?? computeThreshold(settings) ?? plan.tokensBefore)) / plan.keep.ratio

/** Returns whether a cut keeps at most one step more than the plan, and leaves a context below the threshold. */
function whole(
  { session, tokens, stepTokens }: { session: PreparableSession; tokens: TokensBetween; stepTokens: number },
  { maxSummaryTokens }: WorkContext,
): (at: number) => boolean {
  const { branch, plan, request } = session
  const { settings = {} } = request
  let points: ReadonlySet<number> | undefined
  // A result that came later may answer a call before the cut.
  const isValid = (at: number): boolean => (points ??= new Set(findValidCutPoints(findRegion(branch)))).has(at)
  const summaryTokens = limitTokens(HISTORY_SHARE, settings, maxSummaryTokens)
  const most = Math.max(plan.keep.budget, plan.tokensKept) + stepTokens
  const room = Math.min(plan.tokensBefore - 1, computeThreshold(settings) ?? Infinity) - plan.tokensOutside
  return (at) => {
    const kept = tokens(at, branch.length)
    return kept <= most && (kept === plan.tokensKept || kept + summaryTokens <= room) && isValid(at)
  }
}

/** Returns drafts if they are of this session, and of these hooks. */
function verified(
  text: string,
  { session, at, context }: { session: PreparableSession; at: number; context: WorkContext },
): PreparedDrafts | undefined {
  const { branch, request } = session
  const prepared = readPrepared(text)
  if (prepared === undefined) return undefined
  if (context.additions !== undefined && prepared.additions !== digestOfAdditions(context.additions)) return undefined
  const { transcriptTokens } = withOwnLimits(context, request.settings ?? {})
  const covered = branch.slice(findRegion(branch).start, at)
  return areSameResults(covered, prepared.results, transcriptTokens) ? prepared : undefined
}
