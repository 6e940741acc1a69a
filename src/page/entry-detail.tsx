import { useEffect, useState } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import { nameEntry } from './entry-words.ts'
import { counted } from './numbers.ts'
import { outline } from './outline.ts'
import { REGION_NAMES } from './strip-layout.ts'

interface EntryDetailProps {
  entry: PlannedEntry | undefined
  index: number
  total: number
  blob: Blob
}

/** More of one entry would make the page slow. */
const MAX_BYTES = 200_000
const MAX_CHARACTERS = 20_000

/** One entry, read from the document that was opened. */
export function EntryDetail({ entry, index, total, blob }: EntryDetailProps) {
  const [text, setText] = useState('')
  const { start = 0, end = 0 } = entry?.range ?? {}
  useEffect(() => {
    let isCurrent = true
    readEntry(blob, start, end).then(
      (read) => {
        if (isCurrent) setText(read)
      },
      () => {
        if (isCurrent) setText('The file cannot be read any more. Open it again.')
      },
    )
    return () => {
      isCurrent = false
    }
  }, [blob, start, end])
  if (entry === undefined) return null
  return (
    <section class="detail" aria-label="Selected entry">
      <h3>{`Entry ${index + 1} of ${total}`}</h3>
      <p>
        {`${nameEntry(entry)}, ${counted(entry.tokens, 'token')}. `}
        <span class={`tag region-${entry.region}`}>{REGION_NAMES[entry.region]}</span>
        {` id `}
        <code>{entry.id}</code>
      </p>
      <pre tabIndex={0} aria-label="Content of the entry">
        {text}
      </pre>
    </section>
  )
}

async function readEntry(blob: Blob, start: number, end: number): Promise<string> {
  const isLong = end - start > MAX_BYTES
  const text = await blob.slice(start, isLong ? start + MAX_BYTES : end).text()
  const shown = isLong ? text : outline(text)
  return shown.length > MAX_CHARACTERS
    ? `${shown.slice(0, MAX_CHARACTERS)}\n… (the beginning of ${counted(end - start, 'byte')})`
    : shown
}
