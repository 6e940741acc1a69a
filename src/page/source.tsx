import { useMemo } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { EntryDetail } from './entry-detail.tsx'
import { phraseOf } from './find-passage.ts'
import { kindOf } from './strip-layout.ts'
import type { OpenedSession } from './use-session.ts'

/** A fact of the summary, and which of its entries is shown. */
export interface FactPlace {
  fact: Fact
  at: number
  /** Whether the session is being searched for it. */
  isSearching?: boolean
}

interface SourceProps {
  entries: OpenedSession['entries']
  /** The entry that is shown: the one under the pointer, or the selected one. */
  shown: number
  blob: Blob
  place: FactPlace | undefined
  onStep: (step: 1 | -1) => void
  /** Opens the search with a text. */
  onQuery: (text: string) => void
  onClose: () => void
}

/** The entry beside a summary: that has the fact that was clicked. */
export function Source({ entries, shown, blob, place, onStep, onQuery, onClose }: SourceProps) {
  const entry = entries[shown]
  const fact = place !== undefined && place.fact.entryIds[place.at] === entry?.id ? place.fact : undefined
  const facts = useMemo(() => fact && [fact], [fact])
  const isEarlier = entry !== undefined && fact !== undefined && kindOf(entry) === 'compaction' && !isWhole(fact)
  return (
    <aside class={place === undefined ? 'source is-empty' : 'source'} aria-label="Where it stands">
      {place === undefined ? (
        <p class="hint">
          Click an underlined path, command or quote of the summary: the entry where it stands appears here.
        </p>
      ) : (
        <PlaceView {...{ place, onStep, onQuery, onClose }} />
      )}
      {isEarlier ? <p class="notice">This entry is the earlier summary, not the original.</p> : null}
      <EntryDetail entry={entry} index={shown} total={entries.length} blob={blob} facts={facts} />
    </aside>
  )
}

/** Whether an entry as a whole is shown, and no place of a text in it. */
const isWhole = ({ entryIds, count }: Fact): boolean => entryIds.length > 0 && count === null

function PlaceView({
  place,
  onStep,
  onQuery,
  onClose,
}: Pick<SourceProps, 'onStep' | 'onQuery' | 'onClose'> & { place: FactPlace }) {
  const { text, entryIds } = place.fact
  return (
    <div class="place">
      <p role="status">
        <code>{text}</code>
        {isWhole(place.fact) ? '' : `: ${describePlace(place)}`}
      </p>
      <div class="actions">
        {entryIds.length > 1 ? <Steps onStep={onStep} /> : null}
        {place.isSearching === true || isWhole(place.fact) ? null : (
          <button type="button" onClick={() => onQuery(entryIds.length === 0 ? text : phraseOf(text))}>
            {entryIds.length === 0 ? 'Search for its words' : 'Search for it'}
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

function describePlace({ fact: { entryIds, count }, at, isSearching }: FactPlace): string {
  if (entryIds.length > 0) {
    const more = (count ?? 0) > entryIds.length ? ` (of ${count}, the first ${entryIds.length} are listed)` : ''
    return `place ${at + 1} of ${entryIds.length}${more}`
  }
  return isSearching === true ? 'searching the session …' : 'no entry has it word for word'
}

const STEPS = [
  [-1, 'Previous place'],
  [1, 'Next place'],
] as const

const Steps = ({ onStep }: Pick<SourceProps, 'onStep'>) =>
  STEPS.map(([step, name]) => (
    <button key={step} type="button" onClick={() => onStep(step)}>
      {name}
    </button>
  ))

/** Scrolls to the entry: it is beside the summary, or below it. */
export function showSource(): void {
  requestAnimationFrame(() =>
    document.querySelector('[role=tabpanel]:not([hidden]) .source')?.scrollIntoView({ block: 'nearest' }),
  )
}
