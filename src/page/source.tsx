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
  /** Whether all entries were searched for it. */
  searched?: 'running' | 'done' | undefined
}

interface SourceProps {
  entries: OpenedSession['entries']
  /** The entry that is shown: the one under the pointer, or the selected one. */
  shown: number
  blob: Blob
  place: FactPlace | undefined
  onStep: (step: 1 | -1) => void
  onSearch: () => Promise<void>
  /** Opens the search with a text. */
  onQuery: (text: string) => void
  onClose: () => void
}

/** The entry beside a summary: that has the fact that was clicked. */
export function Source({ entries, shown, blob, place, onStep, onSearch, onQuery, onClose }: SourceProps) {
  const entry = entries[shown]
  const fact = place !== undefined && place.fact.entryIds[place.at] === entry?.id ? place.fact : undefined
  const facts = useMemo(() => fact && [fact], [fact])
  const isEarlier = entry !== undefined && fact !== undefined && kindOf(entry) === 'compaction'
  return (
    <aside class={place === undefined ? 'source is-empty' : 'source'} aria-label="Where it stands">
      {place === undefined ? (
        <p class="hint">
          Click an underlined path, command or quote of the summary: the entry where it stands appears here.
        </p>
      ) : (
        <PlaceView {...{ place, onStep, onQuery, onClose }} />
      )}
      {place !== undefined && isEarlier ? <EarlierOnly place={place} onSearch={onSearch} /> : null}
      <EntryDetail entry={entry} index={shown} total={entries.length} blob={blob} facts={facts} />
    </aside>
  )
}

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
        {`: ${describePlace(place)}`}
      </p>
      <div class="actions">
        {entryIds.length > 1 ? <Steps onStep={onStep} /> : null}
        {place.searched === 'running' ? null : (
          <button
            type="button"
            onClick={() => {
              onQuery(entryIds.length === 0 ? text : phraseOf(text))
            }}
          >
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

function describePlace({ fact: { entryIds, count }, at, searched }: FactPlace): string {
  if (entryIds.length > 0) {
    const more = (count ?? 0) > entryIds.length ? ` (of ${count}, the first ${entryIds.length} are listed)` : ''
    return `place ${at + 1} of ${entryIds.length}${more}`
  }
  return searched === 'running' ? 'searching the session …' : 'no entry has it word for word'
}

/** A note on a fact that is in the summary of an earlier compaction. */
function EarlierOnly({ place: { fact, searched }, onSearch }: Pick<SourceProps, 'onSearch'> & { place: FactPlace }) {
  return (
    <div class="actions">
      <p class="notice">This entry is the earlier summary, not the original.</p>
      {searched === 'done' && fact.count === 1 ? (
        <p role="status">No other entry of the session has it word for word.</p>
      ) : null}
      {searched === 'done' ? null : (
        <button type="button" disabled={searched === 'running'} onClick={() => void onSearch()}>
          {searched === 'running' ? 'Searching the session …' : 'Search the whole session for the original'}
        </button>
      )}
    </div>
  )
}

function Steps({ onStep }: Pick<SourceProps, 'onStep'>) {
  return (
    <>
      <button
        type="button"
        onClick={() => {
          onStep(-1)
        }}
      >
        Previous place
      </button>
      <button
        type="button"
        onClick={() => {
          onStep(1)
        }}
      >
        Next place
      </button>
    </>
  )
}
