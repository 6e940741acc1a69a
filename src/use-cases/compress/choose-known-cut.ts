import type { KnownSummary, StoredCut } from '../../model/sharing/stored-summary.ts'
import { PREPARE_SHARE, type CutPoint, type CutSurvey } from './steps.ts'

/** A place for a cut, and what is known of it. */
interface KnownPoint {
  point: CutPoint
  cut: KnownSummary | undefined
}

/** A place for a cut that has a summary. */
export interface SummarizedPoint {
  point: CutPoint
  cut: StoredCut
}

/** How a conversation is returned, and what can be prepared for its next turns. */
export interface CutChoice {
  /** `none`: it exceeds the limit, and no summary is known that makes it fit. */
  kind: 'whole' | 'cut' | 'none'
  chosen?: SummarizedPoint
  /** Where a summary is to be prepared; undefined if that is too early, or one is known or being written. */
  next?: CutPoint
  /** The newest summary of a model before the planned cut: the next one is an update of it. */
  base?: SummarizedPoint
}

/**
 * Returns how a conversation is returned. As long as it fits, it is returned whole; then with the newest cut that has been
 * returned before, as long as that fits; then with the newest one that has been prepared. So the beginning changes only when
 * the limit is exceeded.
 */
export function chooseKnownCut(survey: CutSurvey, get: (key: string) => KnownSummary | undefined): CutChoice {
  const { limitTokens, wholeTokens, planned } = survey
  const known = survey.points.map((point): KnownPoint => ({ point, cut: get(point.key) }))
  const fitting = known.filter(hasSummary).filter((one) => sizeOf(one) <= limitTokens)
  const isWhole = wholeTokens <= limitTokens
  const chosen = isWhole ? undefined : (fitting.findLast(({ cut }) => cut.state === 'active') ?? fitting.at(-1))
  const kind = isWhole ? 'whole' : chosen === undefined ? 'none' : 'cut'
  const base = known
    .filter(hasSummary)
    .findLast(({ point, cut }) => planned !== undefined && point.at < planned.at && cut.model !== 'embedded')
  const at = chosen?.point.at ?? 0
  const tokensNow = chosen === undefined ? wholeTokens : sizeOf(chosen)
  const isKnown = known.some(
    (one) => one.point.at > at && one.cut !== undefined && (!hasSummary(one) || sizeOf(one) <= limitTokens),
  )
  const isDue = planned !== undefined && planned.at > at && tokensNow >= PREPARE_SHARE * limitTokens && !isKnown
  return { kind, ...(chosen && { chosen }), ...(base && { base }), ...(isDue && { next: planned }) }
}

const hasSummary = (one: KnownPoint): one is SummarizedPoint => one.cut !== undefined && 'summary' in one.cut

/** Returns the tokens of a conversation that begins with a cut. */
export const sizeOf = ({ point, cut }: SummarizedPoint): number => point.restTokens + cut.tokens
