import { useMemo } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import { counted } from './numbers.ts'
import { REGION_NAMES, REGIONS, sumOf, type Region } from './strip-layout.ts'

interface LegendProps {
  entries: readonly PlannedEntry[]
  /** Whether the strip marks the entries that have facts of the summary. */
  hasFacts: boolean
}

/** What the colours and the marks of the strip mean. */
export function Legend({ entries, hasFacts }: LegendProps) {
  // A session may have 100,000 entries, and the page is drawn for each of them under the pointer.
  return useMemo(() => <LegendList entries={entries} hasFacts={hasFacts} />, [entries, hasFacts])
}

function LegendList({ entries, hasFacts }: LegendProps) {
  return (
    <ul class="legend" aria-label="Colours of the strip">
      {REGIONS.map((region) => (
        <LegendItem key={region} region={region} entries={entries} />
      ))}
      <li>
        <span class="swatch-heights" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        Tall: request, lower: agent, lowest: tool output; as wide as its tokens
      </li>
      {entries.some(({ isError }) => isError === true) ? <MarkItem name="error" text="Failed" /> : null}
      {entries.some(({ type }) => type === 'compaction') ? (
        <MarkItem name="compaction" text="Earlier compaction" />
      ) : null}
      {hasFacts ? <MarkItem name="fact-mark" text="Has a path, command or quote of the summary" /> : null}
    </ul>
  )
}

function LegendItem({ region, entries }: { region: Region; entries: readonly PlannedEntry[] }) {
  const size = sumOf(entries, [region])
  if (size.entries === 0) return null
  return (
    <li>
      <span class={`swatch region-${region}`} aria-hidden="true" />
      {`${REGION_NAMES[region]}: ${counted(size.entries, 'entry', 'entries')}, ${counted(size.tokens, 'token')}`}
    </li>
  )
}

function MarkItem({ name, text }: { name: string; text: string }) {
  return (
    <li>
      <span class={`swatch ${name}`} aria-hidden="true" />
      {text}
    </li>
  )
}

const LABELS: Readonly<Record<Region, string>> = {
  covered: 'Summarized before',
  summarized: 'Will be summarized',
  'turn-prefix': 'Start of a cut turn',
  kept: 'Stays word for word',
  ignored: '',
}

/** Names above the regions of the strip, where there is room. The legend has them for all readers. */
export function RegionLabels({ entries }: Pick<LegendProps, 'entries'>) {
  return useMemo(() => <Labels entries={entries} />, [entries])
}

function Labels({ entries }: Pick<LegendProps, 'entries'>) {
  return (
    <div class="region-labels" aria-hidden="true">
      {REGIONS.map((region) => {
        const { tokens } = sumOf(entries, [region])
        return tokens === 0 ? null : (
          <div key={region} class={`region-label region-${region}`} style={{ flexGrow: tokens }}>
            <span>{LABELS[region]}</span>
          </div>
        )
      })}
    </div>
  )
}
