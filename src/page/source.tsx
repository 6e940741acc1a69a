import type { Fact } from '../schemas/provenance.ts'
import { EntryDetail } from './entry-detail.tsx'
import type { OpenSession } from './use-session.ts'

/** A fact of the summary, and which of its entries is shown. */
export interface FactPlace {
  fact: Fact
  at: number
}

interface SourceProps {
  entries: OpenSession['entries']
  /** The entry that is shown: the one under the pointer, or the selected one. */
  shown: number
  blob: Blob
  place: FactPlace | undefined
  onStep: (step: 1 | -1) => void
  onClose: () => void
}

/** The entry beside a summary: where the fact stands that was clicked. */
export function Source({ entries, shown, blob, place, onStep, onClose }: SourceProps) {
  const entry = entries[shown]
  const fact = place !== undefined && place.fact.entryIds[place.at] === entry?.id ? place.fact.text : undefined
  return (
    <aside class={place === undefined ? 'source is-empty' : 'source'} id="source" aria-label="Where it stands">
      {place === undefined ? (
        <p class="hint">
          Click an underlined path, command or quote of the summary: the entry where it stands appears here.
        </p>
      ) : (
        <PlaceView place={place} onStep={onStep} onClose={onClose} />
      )}
      <EntryDetail entry={entry} index={shown} total={entries.length} blob={blob} fact={fact} />
    </aside>
  )
}

function PlaceView({
  place: { fact, at },
  onStep,
  onClose,
}: Pick<SourceProps, 'onStep' | 'onClose'> & { place: FactPlace }) {
  const { text, entryIds, count } = fact
  const more = count > entryIds.length ? ` (of ${count}, the first ${entryIds.length} are listed)` : ''
  return (
    <div class="place">
      <p role="status">
        <code>{text}</code>
        {`: place ${at + 1} of ${entryIds.length}${more}`}
      </p>
      <div class="actions">
        {entryIds.length > 1 ? <Steps onStep={onStep} /> : null}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
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
