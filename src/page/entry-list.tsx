import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import { count, counted } from '../text/numbers.ts'
import { nameEntry } from './entry-words.ts'
import { TextField } from './fields.tsx'
import { REGION_NAMES } from './strip-layout.ts'
import { moveBy } from './strip.tsx'

interface EntryListProps {
  entries: readonly PlannedEntry[]
  selected: number
  onSelect: (index: number) => void
}

/** The height of a row in pixels, as in the style sheet. */
const ROW_PIXELS = 30

/** Rows beyond the visible ones, so that a fast scroll shows text. */
const SPARE_ROWS = 10

/** All entries as a list that can be searched. */
export function EntryList({ entries, selected, onSelect }: EntryListProps) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => findEntries(entries, search), [entries, search])
  return (
    <div class="entries">
      <TextField label="Search the entries" type="search" value={search} onInput={setSearch} />
      <p class="hint" role="status">
        {counted(found.length, 'entry', 'entries')}
      </p>
      <Rows {...{ entries, found, selected, onSelect }} />
    </div>
  )
}

interface RowsProps extends EntryListProps {
  /** The indexes of the entries in the list. */
  found: readonly number[]
}

/** The rows. Only visible ones are in the page: a session may have 100,000 entries. */
function Rows({ entries, found, selected, onSelect }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const position = useMemo(() => found.indexOf(selected), [found, selected])
  useEffect(() => {
    if (position >= 0 && box.current !== null) showRow(box.current, position)
  }, [position])
  return (
    <div
      class="rows"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label="Entries of the session"
      aria-activedescendant={position < 0 ? undefined : `entry-${selected}`}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop)
      }}
      onKeyDown={(event) => {
        const next = moveBy(event.key, position, found.length)
        if (next === undefined || event.key === 'ArrowLeft' || event.key === 'ArrowRight') return
        event.preventDefault()
        onSelect(found[next] ?? selected)
      }}
    >
      <div role="presentation" class="all-rows" style={{ height: `${found.length * ROW_PIXELS}px` }}>
        {visibleRows(found, { top, height: box.current?.clientHeight ?? 400, position }).map((at) => (
          <Row key={found[at]} {...{ entries, found, at, selected, onSelect }} />
        ))}
      </div>
    </div>
  )
}

/** Returns the rows to show; the selected one is always there, because the list names it. */
function visibleRows(
  found: readonly number[],
  { top, height, position }: Record<'top' | 'height' | 'position', number>,
): number[] {
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PIXELS), found.length) - SPARE_ROWS)
  const visible = Math.ceil(height / ROW_PIXELS) + 2 * SPARE_ROWS
  const rows = Array.from({ length: Math.max(0, Math.min(visible, found.length - first)) }, (_, row) => first + row)
  return position < 0 || rows.includes(position) ? rows : [...rows, position]
}

interface RowProps extends RowsProps {
  /** The position in the list. */
  at: number
}

function Row({ entries, found, at, selected, onSelect }: RowProps) {
  const index = found[at] ?? 0
  const entry = entries[index]
  if (entry === undefined) return null
  return (
    <div
      class={`row region-${entry.region}`}
      role="option"
      id={`entry-${index}`}
      aria-selected={index === selected}
      aria-setsize={found.length}
      aria-posinset={at + 1}
      style={{ top: `${at * ROW_PIXELS}px` }}
      onClick={() => {
        onSelect(index)
      }}
    >
      <span class="row-region" title={REGION_NAMES[entry.region]} />
      <span class="row-kind">{nameEntry(entry)}</span>
      <span class="row-text">{entry.text}</span>
      <span class="row-tokens">{count(entry.tokens)}</span>
      <span class="sr">{` tokens. ${REGION_NAMES[entry.region]}`}</span>
    </div>
  )
}

/** Returns the indexes of the entries that have all words of a search. */
function findEntries(entries: readonly PlannedEntry[], search: string): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const indexes: number[] = []
  for (const [index, entry] of entries.entries()) if (words.length === 0 || hasWords(entry, words)) indexes.push(index)
  return indexes
}

function hasWords(entry: PlannedEntry, words: readonly string[]): boolean {
  const text = `${entry.id} ${nameEntry(entry)} ${REGION_NAMES[entry.region]} ${entry.text ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function showRow(box: HTMLElement, position: number): void {
  const top = position * ROW_PIXELS
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + ROW_PIXELS > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW_PIXELS - box.clientHeight
}
