import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SessionEntry } from './strip-layout.ts'
import { counted } from '../text/numbers.ts'
import { nameEntry, nameRegion } from './entry-words.ts'
import { CheckField } from './fields.tsx'
import { findFact, type SearchedFact, type TextRange } from './find-fact.ts'
import { readRecordTexts } from './read-record.ts'

interface EntryDetailProps {
  entry: SessionEntry | undefined
  index: number
  total: number
  blob: Blob
  /** The facts to mark: the first one that the text has is marked. */
  facts?: readonly SearchedFact[] | undefined
}

/** How much of an entry is shown: a longer text would make the page slow. */
const MAX_CHARACTERS = 20_000

const NOTHING: readonly SearchedFact[] = []

export function EntryDetail({ entry, index, total, blob, facts = NOTHING }: EntryDetailProps) {
  const { record, message } = useEntry(blob, entry?.range)
  const [isRecord, setRecord] = useState(false)
  const found = useMemo(
    () => findFirst(message, facts) ?? (facts === NOTHING ? findOwn(message, entry) : undefined),
    [message, facts, entry],
  )
  const inRecord = useMemo(() => (found === undefined ? findFirst(record, facts) : undefined), [found, record, facts])
  if (entry === undefined) return null
  const isWhole = isRecord || inRecord !== undefined
  return (
    <section class="detail" aria-label="Selected entry">
      <h3>{`Entry ${index + 1} of ${total}`}</h3>
      <p>
        {`${nameEntry(entry)}, ${counted(entry.tokens, 'token')} `}
        <span class={`tag region-${entry.region}`}>
          <span class={`swatch region-${entry.region}`} aria-hidden="true" />
          {nameRegion(entry)}
        </span>
        <span class="hint">
          {' '}
          id <code>{entry.id}</code>
        </span>
      </p>
      <EntryText {...(isWhole ? { text: record, found: inRecord } : { text: message, found })} />
      {record === message ? null : (
        <CheckField class="check hint" label="The whole record of the file" checked={isWhole} onChange={setRecord} />
      )}
    </section>
  )
}

const UNREADABLE = 'The file cannot be read any more. Open it again.'

function useEntry(blob: Blob, { start, end } = { start: 0, end: 0 }) {
  const [texts, setTexts] = useState({ record: '', message: '' })
  useEffect(() => {
    let isCurrent = true
    void readRecordTexts(blob, { start, end })
      .catch(() => ({ record: UNREADABLE, message: UNREADABLE }))
      .then((read) => {
        if (isCurrent) setTexts(read)
      })
    return () => {
      isCurrent = false
    }
  }, [blob, start, end])
  return texts
}

/** The text of an entry, scrolled to what is marked. */
function EntryText({ text, found }: { text: string; found: TextRange | undefined }) {
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = mark.current?.parentElement
    if (mark.current !== null && box) box.scrollTop = mark.current.offsetTop - box.clientHeight / 3
  }, [found])
  const from = Math.max(0, Math.min(found?.start ?? 0, text.length) - MAX_CHARACTERS / 2)
  const end = from + MAX_CHARACTERS
  const { start: markStart, end: markEnd } = found ?? { start: from, end: from }
  return (
    <pre tabIndex={0} aria-label="Content of the entry">
      {from > 0 ? '… ' : ''}
      {text.slice(from, markStart)}
      {found === undefined ? null : <mark ref={mark}>{text.slice(markStart, markEnd)}</mark>}
      {text.slice(markEnd, end)}
      {end < text.length ? `\n… (a part of ${counted(text.length, 'character')})` : ''}
    </pre>
  )
}

/** A record of more characters than these, for each token of its entry, has other entries too. */
const [CHARACTERS_OF_RECORD, CHARACTERS_OF_TOKEN] = [1000, 8]

/** Returns where an entry begins in a record that has several, such as all messages of a session that was resumed. */
function findOwn(record: string, { text = '', tokens = 0 }: Partial<SessionEntry> = {}): TextRange | undefined {
  const isOneOfMany = record.length > CHARACTERS_OF_RECORD + CHARACTERS_OF_TOKEN * tokens
  return isOneOfMany ? findFact(record, { text, kind: 'quote' }) : undefined
}

function findFirst(text: string, facts: readonly SearchedFact[]): TextRange | undefined {
  for (const fact of facts) {
    const range = findFact(text, fact)
    if (range !== undefined) return range
  }
  return undefined
}
