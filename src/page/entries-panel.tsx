import { useEffect, useMemo } from 'preact/hooks'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { searchedTexts } from './find-passage.ts'
import { SearchForm } from './search-form.tsx'
import { SearchResults } from './search-results.tsx'
import type { LookupState } from './use-lookup.ts'
import type { useSelection } from './use-selection.ts'
import type { OpenedSession } from './use-session.ts'

interface EntriesPanelProps {
  session: OpenedSession
  lookup: LookupState
  selection: ReturnType<typeof useSelection>
}

/** The entries of the session, or the passages of a search, beside the entry that is shown. */
export function EntriesPanel({ session: { document, plan, entries }, lookup, selection }: EntriesPanelProps) {
  const { selected, setSelected, onEntry, shown, places } = selection
  const { fields, found, picked } = lookup
  const query = found?.fields.text ?? ''
  const texts = useMemo(
    () => (picked === undefined ? undefined : searchedTexts(picked.passage, query)),
    [picked, query],
  )
  const entry = entries[shown]
  return (
    <div class="columns">
      <div class="entries">
        <SearchForm lookup={lookup} canCompact={plan.firstKeptEntryId !== null} />
        {fields.text.trim() === '' ? (
          <EntryList entries={entries} selected={selected} onSelect={setSelected} />
        ) : (
          <SearchResults
            {...{ lookup, entries, places }}
            onShow={(passage, entryId) => {
              lookup.pick({ passage, entryId })
              onEntry(entryId)
              showDetail()
            }}
          />
        )}
      </div>
      <EntryDetail
        {...{ entry, index: shown, total: entries.length, blob: document.blob }}
        facts={picked?.entryId === entry?.id ? texts : undefined}
      />
    </div>
  )
}

/** Scrolls to the entry: on a phone, it is below the list. */
function showDetail(): void {
  requestAnimationFrame(() => {
    document.querySelector('.entries + .detail')?.scrollIntoView({ block: 'nearest' })
  })
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
    return () => {
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
