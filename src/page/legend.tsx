import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { count, counted } from '../text/numbers.ts'
import {
  hasSummary,
  isCompacted,
  REGION_NAMES,
  REGIONS,
  sumOf,
  type SessionEntry,
  type StripRegion,
} from './strip-layout.ts'
import { useIsWide } from './use-is-wide.ts'

interface LegendProps {
  entries: readonly SessionEntry[]
  /** The meaning of the marks below the strip, if there are any. */
  mark: string | undefined
}

/** The meaning of the colours and the marks of the strip. */
export function Legend({ entries, mark }: LegendProps) {
  // A session may have 100,000 entries, and the page is drawn for each of them under the pointer.
  const isWide = useIsWide()
  return useMemo(() => {
    const list = <LegendList {...{ entries, mark }} />
    return isWide ? list : <Folded entries={entries}>{list}</Folded>
  }, [isWide, entries, mark])
}

/** The legend of a phone, where all of it takes a screen: the names of the colours, and the rest on demand. */
function Folded({ entries, children }: Pick<LegendProps, 'entries'> & { children: ComponentChildren }) {
  return (
    <details class="legend-folded">
      <summary>
        {'Colours: '}
        {REGIONS.filter((region) => sumOf(entries, [region]).tokens > 0).map((region) => (
          <span key={region} class="legend-name">
            <span class={`swatch region-${region}`} aria-hidden="true" />
            {`${LABELS[region]} `}
          </span>
        ))}
      </summary>
      {children}
    </details>
  )
}

function LegendList({ entries, mark }: LegendProps) {
  const compactions = entries.filter(isCompacted)
  return (
    <ul class="legend" aria-label="Colours of the strip">
      {REGIONS.map((region) => (
        <LegendItem key={region} region={region} {...sumOf(entries, [region])} />
      ))}
      <OtherItems entries={entries} />
      <li>
        <span class="swatch-heights" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        Height: request, agent, tool output. Width: tokens
      </li>
      {entries.some(({ isError }) => isError === true) ? <MarkItem name="error" text="Failed" /> : null}
      {compactions.length === 0 ? null : <MarkItem name="compaction" text={describeMarks(compactions)} />}
      {mark === undefined ? null : <MarkItem name="fact-mark" text={mark} />}
    </ul>
  )
}

function describeMarks(compactions: readonly SessionEntry[]): string {
  const encrypted = compactions.filter((entry) => !hasSummary(entry)).length
  const which =
    encrypted === 0 ? '' : encrypted === compactions.length ? ', encrypted' : `, ${count(encrypted)} encrypted`
  return `${counted(compactions.length, 'earlier compaction')}${which}: made where the mark is`
}

interface LegendItemProps {
  region: StripRegion
  entries: number
  tokens: number
  /** What the entries are; undefined for the name of their region. */
  name?: string
}

function LegendItem({ region, entries, tokens, name = REGION_NAMES[region] }: LegendItemProps) {
  if (entries === 0) return null
  const size = [
    region === 'summary' ? '' : counted(entries, 'entry', 'entries'),
    region === 'ignored' ? '' : counted(tokens, 'token'),
  ]
  return (
    <li>
      <span class={`swatch region-${region}`} aria-hidden="true" />
      {`${name}: ${size.filter((one) => one !== '').join(', ')}`}
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

/** The entries without tokens, but for compactions, which have marks: those of branches that were left, and others. */
function OtherItems({ entries }: Pick<LegendProps, 'entries'>) {
  const others = entries.filter((entry) => entry.region === 'ignored' && !isCompacted(entry))
  const left = others.filter(({ isOffBranch }) => isOffBranch === true).length
  return (
    <>
      <LegendItem region="ignored" entries={left} tokens={0} name="On a branch that was left" />
      <LegendItem region="ignored" entries={others.length - left} tokens={0} />
    </>
  )
}

/** The names of the regions where there is little room. */
const LABELS: typeof REGION_NAMES = { ...REGION_NAMES, 'turn-prefix': 'Start of this request' }

/** Names above the regions of the strip, where there is room. The legend has them for all readers. */
export function RegionLabels({ entries }: Pick<LegendProps, 'entries'>) {
  return useMemo(() => <Labels entries={entries} />, [entries])
}

function Labels({ entries }: Pick<LegendProps, 'entries'>) {
  return (
    <div class="region-labels" aria-hidden="true">
      {REGIONS.map((region) => {
        const { tokens } = sumOf(entries, [region])
        // The earlier summary is replaced with the entries around it.
        const parts: StripRegion[] = region === 'summarized' ? ['summary', region] : [region]
        return tokens === 0 || region === 'summary' ? null : (
          <div key={region} class={`region-label region-${region}`} style={{ flexGrow: sumOf(entries, parts).tokens }}>
            <span>{LABELS[region]}</span>
          </div>
        )
      })}
    </div>
  )
}
