import { useEffect } from 'preact/hooks'
import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecallPassage } from '../schemas/recall.ts'
import { count } from '../text/numbers.ts'
import { focusSearch, moveAmongPassages, showResults } from './passage-keys.ts'
import { PassageView } from './passage-view.tsx'
import { describeFound, PASSAGE_KINDS } from './passage-words.ts'
import type { FoundPassages, LookupState } from './use-lookup.ts'
import type { OpenedSession } from './use-session.ts'

interface SearchResultsProps extends Pick<OpenedSession, 'entries'> {
  lookup: LookupState
  places: ReadonlyMap<string, number>
  onShow: (passage: RecallPassage, entryId: string) => void
}

export function SearchResults({ lookup, ...context }: SearchResultsProps) {
  const { found, isBusy } = lookup
  const isFound = found !== undefined
  useEffect(() => {
    if (isFound) showResults()
  }, [isFound])
  return (
    <div aria-busy={isBusy}>
      <p class="hint" role="status">
        {statusOf(lookup)}
      </p>
      {isFound ? <KindFilters lookup={lookup} found={found} /> : null}
      {isFound && found.passages.length > 0 ? <PassageList {...{ lookup, found, ...context }} /> : null}
    </div>
  )
}

function statusOf({ fields, found, isBusy, isLive }: LookupState): string {
  if (isBusy) return 'Searching the session …'
  if (found?.fields === fields) return describeFound(found)
  return isLive ? '' : 'Press Enter to search: the whole session is sent for it.'
}

type FoundProps = Pick<SearchResultsProps, 'lookup'> & { found: FoundPassages }

/** How many passages there are of each kind, as filters. */
function KindFilters({ lookup: { fields, change }, found: { byKind, matches } }: FoundProps) {
  const counts = byKind ?? matches.someByKind
  const kinds = (Object.keys(PASSAGE_KINDS) as RecallKind[]).filter(
    (kind) => (byKind !== undefined && (counts[kind] ?? 0) > 0) || kind === fields.kind,
  )
  if (kinds.length < 2 && fields.kind === undefined) return null
  return (
    <div class="kinds" role="group" aria-label="Kinds of passages">
      {[undefined, ...kinds].map((kind) => (
        <button
          key={kind ?? 'all'}
          type="button"
          class="small"
          aria-pressed={kind === fields.kind}
          onClick={() => change({ kind })}
        >
          {kind === undefined ? 'All' : `${PASSAGE_KINDS[kind][1]} ${count(counts[kind] ?? 0)}`}
        </button>
      ))}
    </div>
  )
}

function PassageList({ lookup, found, entries, places, onShow }: SearchResultsProps & FoundProps) {
  return (
    <ol
      class="passages"
      aria-label="Passages"
      onKeyDown={(event) => {
        if (event.key === 'Escape') focusSearch()
        else moveAmongPassages(event)
      }}
    >
      {found.passages.map((passage, at) => (
        <PassageView
          key={at}
          {...{ passage, query: found.fields.text, places, entries, isSelected: passage === lookup.picked?.passage }}
          onShow={(entryId) => onShow(passage, entryId)}
        />
      ))}
      {found.nextOffset === undefined ? null : (
        <li>
          <button type="button" disabled={lookup.isBusy} onClick={lookup.more}>
            More passages
          </button>
        </li>
      )}
    </ol>
  )
}
