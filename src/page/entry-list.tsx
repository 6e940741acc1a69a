import { useEffect, useRef, useState } from 'preact/hooks'
import type { SessionEntry } from './strip-layout.ts'
import { count } from '../text/numbers.ts'
import { nameEntry, nameRegion } from './entry-words.ts'
import { moveBy } from './strip.tsx'

interface EntryListProps {
  entries: readonly SessionEntry[]
  selected: number
  onSelect: (index: number) => void
}

/** The height of a row in pixels, as in the style sheet. */
const ROW_PIXELS = 30

/** Rows beyond the visible ones, so that a fast scroll shows text. */
const SPARE_ROWS = 10

/** All entries as a list. Only visible rows are in the page: a session may have 100,000 entries. */
export function EntryList({ entries, selected, onSelect }: EntryListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => {
    if (box.current !== null) showRow(box.current, selected)
  }, [selected])
  return (
    <div
      class="rows"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label="Entries of the session"
      aria-activedescendant={`entry-${selected}`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        const next = moveBy(event.key, selected, entries.length)
        if (next === undefined || event.key === 'ArrowLeft' || event.key === 'ArrowRight') return
        event.preventDefault()
        onSelect(next)
      }}
    >
      <div role="presentation" class="all-rows" style={{ height: `${entries.length * ROW_PIXELS}px` }}>
        {visibleRows(entries.length, { top, height: box.current?.clientHeight ?? 400, selected }).map((index) => (
          <Row key={index} {...{ entries, index, selected, onSelect }} />
        ))}
      </div>
    </div>
  )
}

/** Returns the rows to show; the selected one is always there, because the list names it. */
function visibleRows(
  length: number,
  { top, height, selected }: Record<'top' | 'height' | 'selected', number>,
): number[] {
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PIXELS), length) - SPARE_ROWS)
  const visible = Math.ceil(height / ROW_PIXELS) + 2 * SPARE_ROWS
  const rows = Array.from({ length: Math.max(0, Math.min(visible, length - first)) }, (_, row) => first + row)
  return rows.includes(selected) ? rows : [...rows, selected]
}

interface RowProps extends EntryListProps {
  index: number
}

function Row({ entries, index, selected, onSelect }: RowProps) {
  const entry = entries[index]
  if (entry === undefined) return null
  return (
    <div
      class={`row region-${entry.region}`}
      role="option"
      id={`entry-${index}`}
      aria-selected={index === selected}
      aria-setsize={entries.length}
      aria-posinset={index + 1}
      style={{ top: `${index * ROW_PIXELS}px` }}
      onClick={() => onSelect(index)}
    >
      <span class="row-region" title={nameRegion(entry)} />
      <span class="row-kind">{nameEntry(entry)}</span>
      <span class="row-text">{entry.text}</span>
      <span class="row-tokens">{count(entry.tokens)}</span>
      <span class="sr">{` tokens. ${nameRegion(entry)}`}</span>
    </div>
  )
}

function showRow(box: HTMLElement, position: number): void {
  const top = position * ROW_PIXELS
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + ROW_PIXELS > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW_PIXELS - box.clientHeight
}
