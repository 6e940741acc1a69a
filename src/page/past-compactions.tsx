import { useState } from 'preact/hooks'
import type { DroppedCounts, DroppedFact, PastCompaction } from '../schemas/past-compaction.ts'
import { agentName, FACT_NAMES, factName } from '../text/comparison-words.ts'
import { count, counted } from '../text/numbers.ts'
import { LostFact, type FactListeners } from './lost-fact.tsx'

/** What each compaction of a chain dropped. */
export function PastCompactions({
  compactions,
  ...listeners
}: FactListeners & { compactions: readonly PastCompaction[] }) {
  return (
    <section class="past losses" aria-label="What each compaction dropped">
      <h3>What each compaction of this session dropped</h3>
      <p class="hint">
        A compaction is made from the summary before it and the entries that it replaces. What neither its own nor a
        later summary has is lost to the agent. Code looks for these facts: what is listed here may still be there in
        other words.
      </p>
      <ol>
        {compactions.map((one) => (
          <PastCompactionView key={one.entryId} compaction={one} {...listeners} />
        ))}
      </ol>
    </section>
  )
}

function PastCompactionView({
  compaction: { number, entryId, writer, tokens, entries, counts, dropped },
  ...listeners
}: FactListeners & { compaction: PastCompaction }) {
  const [total, lost] = [sumBy(counts, 'total'), sumBy(counts, 'dropped')]
  const name = `Compaction ${number}`
  const facts = total === 0 ? 'Code finds no facts in them.' : `${count(lost)} of ${counted(total, 'fact')} dropped.`
  return (
    <li aria-label={name}>
      <h4>
        {name}
        <span class="hint">{` by ${agentName(writer)}`}</span>
      </h4>
      <p>
        {`${counted(entries, 'entry', 'entries')} became a summary of ${counted(tokens, 'token')}. `}
        <strong>{facts}</strong>{' '}
        <button
          type="button"
          class="link"
          onClick={() => listeners.onFact({ text: name, kind: 'quote', entryIds: [entryId], count: null })}
        >
          Show its summary
        </button>
      </p>
      {counts
        .filter((one) => one.dropped > 0)
        .map((one) => (
          <DroppedKind
            key={one.kind}
            counts={one}
            facts={dropped.filter(({ kind }) => kind === one.kind)}
            {...listeners}
          />
        ))}
    </li>
  )
}

const sumBy = (counts: readonly DroppedCounts[], field: 'total' | 'dropped'): number =>
  counts.reduce((sum, one) => sum + one[field], 0)

function DroppedKind({
  counts: { kind, total, dropped },
  facts,
  ...listeners
}: FactListeners & { counts: DroppedCounts; facts: readonly DroppedFact[] }) {
  const [isOpen, setOpen] = useState(false)
  const name = FACT_NAMES[kind]
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{`${count(dropped)} of ${count(total)} ${total === 1 ? factName(kind) : name}`}</summary>
      {isOpen ? (
        <ul>
          {facts.map(({ text, entryIds }) => (
            <LostFact key={text} {...{ text, entryIds }} {...listeners} />
          ))}
        </ul>
      ) : null}
    </details>
  )
}
