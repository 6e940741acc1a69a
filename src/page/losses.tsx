import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PlannedEntry } from '../schemas/plan.ts'
import type { Fact } from '../schemas/provenance.ts'
import { findEntries } from './find-entries.ts'
import { factOf, findLosses, type LossGroup, type Lost } from './find-losses.ts'
import { LookUpButton } from './look-up-button.tsx'
import { REPLACED } from './strip-layout.ts'
import type { Compaction } from './use-compactions.ts'

interface LossesProps {
  result: Compaction
  blob: Blob
  /** Shows an entry. */
  onFact: (fact: Fact) => void
  /** Looks a text up in the session. */
  onLookUp: (text: string) => void
  /** Adds a text to the correction of the summary. */
  onAdd: (text: string) => void
}

/** The facts of the replaced entries, as far as code can find them, and those that are not in the summary. */
export function Losses({ result, ...context }: LossesProps) {
  const groups = useMemo(() => findLosses(result), [result])
  if (groups.length === 0) return null
  return (
    <section class="losses" aria-label="What the summary does not have">
      <h3>What the summary does not have</h3>
      <p class="hint">
        Code looks for requests, decisions, commands and errors of the replaced entries in the summary. What is listed
        here may still be there in other words.
      </p>
      {groups.map((group) =>
        group.lost.length === 0 ? (
          <p key={group.id} class="is-fine">{`${group.name}: all ${group.total} are in the summary`}</p>
        ) : (
          <LossGroupView key={group.id} group={group} entries={result.entries} {...context} />
        ),
      )}
    </section>
  )
}

type GroupProps = Omit<LossesProps, 'result'> & { group: LossGroup; entries: readonly PlannedEntry[] }

function LossGroupView({ group: { id, name, lost, total }, entries, blob, ...context }: GroupProps) {
  const [isOpen, setOpen] = useState(false)
  const indexes = useEntryIndexes(isOpen ? lost : NOTHING, entries, blob)
  return (
    <details
      id={id}
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
      }}
    >
      <summary>{`${name}: ${lost.length} of ${total} ${lost.length === 1 ? 'is' : 'are'} not in the summary`}</summary>
      <ul>
        {lost.map(({ text }) => {
          const index = indexes.get(text)
          return <LossItem key={text} {...{ text, index, ...context }} id={entries[index ?? -1]?.id} />
        })}
      </ul>
    </details>
  )
}

type LossItemProps = Pick<LossesProps, 'onFact' | 'onLookUp' | 'onAdd'> & { text: string } & Record<
    'index',
    number | undefined
  > &
  Record<'id', string | undefined>

function LossItem({ text, index, id, onFact, onLookUp, onAdd }: LossItemProps) {
  const [isAdded, setAdded] = useState(false)
  return (
    <li>
      <code>{text}</code>{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          onFact(factOf({ text, entryId: id }))
        }}
      >
        {index === undefined ? 'Find its entries' : `Show entry ${index + 1}`}
      </button>{' '}
      <LookUpButton text={text} onLookUp={onLookUp} />{' '}
      <button
        type="button"
        class="small"
        disabled={isAdded}
        onClick={() => {
          onAdd(text)
          setAdded(true)
        }}
      >
        {isAdded ? 'Added to the correction' : 'Add to the correction'}
      </button>
    </li>
  )
}

const NOTHING: readonly Lost[] = []

/** Returns the newest replaced entry of each text; the reply has the entry of some texts only, so others are searched for. */
function useEntryIndexes(lost: readonly Lost[], entries: readonly PlannedEntry[], blob: Blob) {
  const [indexes, setIndexes] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => {
    let isCurrent = true
    const unknown = lost.flatMap(({ text, entryId }) =>
      entryId === undefined ? [{ text, kind: 'quote' as const }] : [],
    )
    const newestFirst = entries.filter(({ region }) => REPLACED.includes(region)).reverse()
    const search = { entries: newestFirst, blob, limit: 1 }
    void findEntries(unknown, search).then((found) => {
      const places = new Map(entries.map(({ id }, index) => [id, index]))
      const pairs = lost.flatMap(({ text, entryId }): [string, number][] => {
        const index = places.get(entryId ?? found.get(text)?.[0] ?? '')
        return index === undefined ? [] : [[text, index]]
      })
      if (isCurrent) setIndexes(new Map(pairs))
    })
    return () => {
      isCurrent = false
    }
  }, [lost, entries, blob])
  return indexes
}
