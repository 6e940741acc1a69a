import { useEffect, useMemo } from 'preact/hooks'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { searchedTexts } from './find-passage.ts'
import type { RecallPassage } from '../schemas/recall.ts'
import { entryOf } from './passage-words.ts'
import { SearchForm } from './search-form.tsx'
import { SearchResults } from './search-results.tsx'
import type { LookupState } from './use-lookup.ts'
import type { useSelection } from './use-selection.ts'
import type { OpenedSession } from './use-session.ts'

interface EntriesPanelProps {
  session: OpenedSession
  lookup: LookupState
  selection: ReturnType<typeof useSelection>
  /** Whether a text of another view was looked up: there is a way back to it. */
  isLookUp: boolean
}

/** The entries of the session, or the passages of a search, beside the entry that is shown. */
export function EntriesPanel({ session: { document, plan, entries }, lookup, selection, isLookUp }: EntriesPanelProps) {
  const { selected, setSelected, onEntry, shown, places } = selection
  const { fields, found, picked } = lookup
  const query = found?.fields.text ?? ''
  const texts = useMemo(
    () => (picked === undefined ? undefined : searchedTexts(picked.passage, query)),
    [picked, query],
  )
  const pick = (passage: RecallPassage, entryId: string): void => {
    lookup.pick({ passage, entryId })
    onEntry(entryId)
  }
  useFirstHit(lookup, pick)
  const onShow = (passage: RecallPassage, entryId: string): void => {
    pick(passage, entryId)
    showDetail()
  }
  const isSearch = fields.text.trim() !== ''
  const entry = entries[shown]
  return (
    <div class="columns">
      <div class="entries">
        {isLookUp ? <BackButton /> : null}
        <SearchForm lookup={lookup} canCompact={plan.firstKeptEntryId !== null} />
        {isSearch ? (
          <SearchResults {...{ lookup, entries, places, onShow }} />
        ) : (
          <EntryList entries={entries} selected={selected} onSelect={setSelected} />
        )}
      </div>
      {isSearch && !found?.matches.some ? null : (
        <EntryDetail
          {...{ entry, index: shown, total: entries.length, blob: document.blob }}
          facts={picked?.entryId === entry?.id ? texts : undefined}
        />
      )}
    </div>
  )
}

/** Shows the first passage of a new search: beside what was found, another entry would look like the answer. */
function useFirstHit({ found, picked }: LookupState, onShow: (passage: RecallPassage, entryId: string) => void): void {
  useEffect(() => {
    const passages = found?.passages ?? []
    const [first] = passages
    if (first !== undefined && !passages.some((one) => one === picked?.passage))
      onShow(first, entryOf(first, found?.fields.text ?? ''))
  }, [found])
}

function BackButton() {
  return (
    <button type="button" onClick={() => history.back()}>
      ← Back to where you were
    </button>
  )
}

/** Scrolls to the entry: on a phone, it is below the list. */
export function showDetail(): void {
  requestAnimationFrame(() => document.querySelector('.entries + .detail')?.scrollIntoView({ block: 'nearest' }))
}

/** Opens the search when the user types `/` outside a field. @param onSearch shows the view with the field */
export function useSearchKey(onSearch: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      onSearch()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onSearch])
}
