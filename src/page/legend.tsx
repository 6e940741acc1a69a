import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import { counted } from '../text/numbers.ts'
import { REGION_NAMES, REGIONS, sumOf, type StripRegion } from './strip-layout.ts'
import { useIsWide } from './use-is-wide.ts'

interface LegendProps {
  entries: readonly PlannedEntry[]
  /** Whether the entries have been summarized with these settings. */
  isDone: boolean
  /** The tokens of the earlier summary in the context; 0 without one. */
  earlierTokens: number
  /** The meaning of the marks below the strip, if there are any. */
  mark: string | undefined
}

/** The meaning of the colours and the marks of the strip. */
export function Legend({ entries, isDone, earlierTokens, mark }: LegendProps) {
  // A session may have 100,000 entries, and the page is drawn for each of them under the pointer.
  const isWide = useIsWide()
  return useMemo(() => {
    const list = <LegendList {...{ entries, isDone, earlierTokens, mark }} />
    return isWide ? list : <Folded {...{ entries, isDone }}>{list}</Folded>
  }, [isWide, entries, isDone, earlierTokens, mark])
}

/** The legend of a phone, where all of it takes a screen: the names of the colours, and the rest on demand. */
function Folded({
  entries,
  isDone,
  children,
}: Pick<LegendProps, 'entries' | 'isDone'> & { children: ComponentChildren }) {
  return (
    <details class="legend-folded">
      <summary>
        {'Colours: '}
        {REGIONS.filter((region) => sumOf(entries, [region]).tokens > 0).map((region) => (
          <span key={region} class="legend-name">
            <span class={`swatch region-${region}`} aria-hidden="true" />
            {`${LABELS[region][isDone ? 1 : 0]} `}
          </span>
        ))}
      </summary>
      {children}
    </details>
  )
}

function LegendList({ entries, isDone, earlierTokens, mark }: LegendProps) {
  return (
    <ul class="legend" aria-label="Colours of the strip">
      {[...REGIONS, 'ignored' as const].map((region) => (
        <LegendItem key={region} {...{ region, entries, isDone }} />
      ))}
      <li>
        <span class="swatch-heights" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        Height: request, agent, tool output. Width: tokens
      </li>
      {entries.some(({ isError }) => isError === true) ? <MarkItem name="error" text="Failed" /> : null}
      {entries.some(({ type }) => type === 'compaction') ? (
        <MarkItem name="compaction" text={earlierText(earlierTokens)} />
      ) : null}
      {mark === undefined ? null : <MarkItem name="fact-mark" text={mark} />}
    </ul>
  )
}

/** Returns what the mark of an earlier compaction means. */
const earlierText = (tokens: number): string =>
  `Earlier compaction, made here; it replaced the grey entries${tokens > 0 ? `. Its summary of ${counted(tokens, 'token')} is in the context` : ''}`

interface LegendItemProps extends Pick<LegendProps, 'entries' | 'isDone'> {
  region: StripRegion
}

function LegendItem({ region, entries, isDone }: LegendItemProps) {
  const size = sumOf(entries, [region])
  if (size.entries === 0) return null
  return (
    <li>
      <span class={`swatch region-${region}`} aria-hidden="true" />
      {`${LEGEND_NAMES[region][isDone ? 1 : 0]}: ${counted(size.entries, 'entry', 'entries')}, ${counted(size.tokens, 'token')}`}
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

/** The names of the regions before and after the compaction. */
const LABELS: Readonly<Record<StripRegion, readonly [before: string, after: string]>> = {
  covered: ['Summarized before', 'Summarized before'],
  summarized: ['Will be summarized', 'Summarized'],
  'turn-prefix': ['Start of the current request', 'Start of the current request'],
  kept: ['Stays word for word', 'Stays word for word'],
  ignored: ['', ''],
}

const START = 'start of the current request'

const LEGEND_NAMES: typeof LABELS = {
  ...LABELS,
  'turn-prefix': [`Will be summarized: ${START}`, `Summarized: ${START}`],
  ignored: [REGION_NAMES.ignored, REGION_NAMES.ignored],
}

/** Names above the regions of the strip, where there is room. The legend has them for all readers. */
export function RegionLabels({ entries, isDone }: Pick<LegendProps, 'entries' | 'isDone'>) {
  return useMemo(() => <Labels entries={entries} isDone={isDone} />, [entries, isDone])
}

function Labels({ entries, isDone }: Pick<LegendProps, 'entries' | 'isDone'>) {
  return (
    <div class="region-labels" aria-hidden="true">
      {REGIONS.map((region) => {
        const { tokens } = sumOf(entries, [region])
        return tokens === 0 ? null : (
          <div key={region} class={`region-label region-${region}`} style={{ flexGrow: tokens }}>
            <span>{LABELS[region][isDone ? 1 : 0]}</span>
          </div>
        )
      })}
    </div>
  )
}
