import type { PlannedEntry, PlanReply } from '../schemas/plan.ts'
import { count, counted } from './numbers.ts'
import { REGION_NAMES, type Region } from './strip-layout.ts'

interface OverviewProps {
  plan: PlanReply
  entries: readonly PlannedEntry[]
  /** Whether the strip marks the entries that have facts of the summary. */
  hasFacts: boolean
}

/** The regions in their order on the strip. */
const REGIONS: readonly Region[] = ['covered', 'summarized', 'turn-prefix', 'kept']

/** The plan in words, and what the colours of the strip mean. */
export function Overview({ plan, entries, hasFacts }: OverviewProps) {
  return (
    <div class="overview">
      <PlanText plan={plan} entries={entries} />
      <p>{adviceOf(plan)}</p>
      <ul class="legend" aria-label="Colours of the strip">
        {REGIONS.map((region) => (
          <LegendItem key={region} region={region} {...sumOf(entries, [region])} />
        ))}
        <li>
          <span class="swatch error" aria-hidden="true" />
          Failed
        </li>
        <li>
          <span class="swatch compaction" aria-hidden="true" />
          Earlier compaction
        </li>
        {hasFacts ? (
          <li>
            <span class="swatch fact-mark" aria-hidden="true" />
            Has facts of the summary
          </li>
        ) : null}
        <li>
          <span class="swatch-heights" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          Height: request, agent, tool output
        </li>
      </ul>
    </div>
  )
}

/** What a compaction replaces, and what stays. */
function PlanText({ plan, entries }: Omit<OverviewProps, 'hasFacts'>) {
  const { isSplitTurn, hasPreviousSummary, firstKeptEntryId, tokensBefore, tokensKept } = plan
  if (firstKeptEntryId === null)
    return (
      <p class="notice">
        {`There is nothing to compact: all ${counted(tokensBefore, 'token')} stay. Let fewer of the newest tokens stay.`}
      </p>
    )
  const replaced = sumOf(entries, ['summarized', 'turn-prefix'])
  return (
    <p>
      A compaction replaces <strong>{counted(replaced.entries, 'entry', 'entries')}</strong>
      {` (${counted(replaced.tokens, 'token')}) with a summary. The newest `}
      <strong>{counted(sumOf(entries, ['kept']).entries, 'entry', 'entries')}</strong>
      {` (${counted(tokensKept, 'token')}) stay word for word.`}
      {hasPreviousSummary ? ' The summary of the previous compaction is brought up to date.' : ''}
      {isSplitTurn ? ' The cut is in the middle of a turn: its beginning is summarized on its own.' : ''}
    </p>
  )
}

interface Size {
  entries: number
  tokens: number
}

function LegendItem({ region, entries, tokens }: { region: Region } & Size) {
  if (entries === 0) return null
  return (
    <li>
      <span class={`swatch region-${region}`} aria-hidden="true" />
      {`${REGION_NAMES[region]}: ${counted(entries, 'entry', 'entries')}, ${counted(tokens, 'token')}`}
    </li>
  )
}

function sumOf(entries: readonly PlannedEntry[], regions: readonly Region[]): Size {
  const size = { entries: 0, tokens: 0 }
  for (const { region, tokens } of entries) {
    if (!regions.includes(region)) continue
    size.entries += 1
    size.tokens += tokens
  }
  return size
}

const REASONS: Readonly<Record<PlanReply['reason'], string>> = {
  overflow: 'the context has overflowed',
  incomplete: 'the last answer is incomplete',
  threshold: 'the context is above the threshold',
  idle: 'the session is idle',
  'below-threshold': 'the context is below the threshold',
  'nothing-to-compact': 'there is nothing to compact',
}

const ACTIONS: Readonly<Record<PlanReply['action'], string>> = {
  compact: 'Compact now',
  prune: 'Removing old tool outputs is enough',
  none: 'No need to compact yet',
}

function adviceOf({ action, reason, thresholdTokens, contextTokens }: PlanReply): string {
  const limit = thresholdTokens === null ? 'no context window is set' : `the threshold is ${count(thresholdTokens)}`
  return `${ACTIONS[action]}: ${REASONS[reason]} (the context has ${counted(contextTokens, 'token')}; ${limit}).`
}
