import { useMemo, useState } from 'preact/hooks'
import { findLosses, type LossGroup } from './find-losses.ts'
import { LostFact, type FactListeners } from './lost-fact.tsx'
import type { Correction } from './use-correction.ts'
import type { Compaction } from './use-compactions.ts'

interface LossesProps extends FactListeners {
  result: Compaction
  correction: Correction
}

/** The facts of the replaced entries, as far as code can find them, and those that are not in the summary. */
export function Losses({ result, ...context }: LossesProps) {
  const groups = useMemo(() => findLosses(result), [result])
  if (groups.every(({ total }) => total === 0)) return null
  return (
    <section class="losses" aria-label="What the summary does not have">
      <h3>What the summary does not have</h3>
      <p class="hint">
        Code looks for requests, decisions, commands and errors of the replaced entries in the summary: what is listed
        here may still be there in other words.
      </p>
      {groups.map((group) =>
        group.lost.length === 0 ? (
          <p key={group.id} class={group.total === 0 ? undefined : 'is-fine'}>
            {describeKept(group)}
          </p>
        ) : (
          <LossGroupView key={group.id} group={group} {...context} />
        ),
      )}
    </section>
  )
}

const describeKept = ({ name, total }: LossGroup): string =>
  total === 0
    ? `${name}: none in the replaced entries`
    : `${name}: ${total === 1 ? '1 of 1 is' : `all ${total} are`} in the summary`

type GroupProps = Omit<LossesProps, 'result'> & { group: LossGroup }

function LossGroupView({ group: { id, name, lost, total }, correction, ...listeners }: GroupProps) {
  return (
    <details id={id}>
      <summary>{`${name}: ${lost.length} of ${total} ${lost.length === 1 ? 'is' : 'are'} not in the summary`}</summary>
      <ul>
        {lost.map(({ text, entryId }) => (
          <LostFact key={text} text={text} entryIds={entryId === undefined ? [] : [entryId]} {...listeners}>
            <AddButton {...{ text, correction }} />
          </LostFact>
        ))}
      </ul>
    </details>
  )
}

function AddButton({ text, correction: { add, show } }: Pick<LossesProps, 'correction'> & { text: string }) {
  const [isAdded, setAdded] = useState(false)
  return (
    <button
      type="button"
      class="small"
      aria-label={isAdded ? undefined : `Add to the correction: ${text}`}
      onClick={() => {
        if (isAdded) show(true)
        else add(text)
        setAdded(true)
      }}
    >
      {isAdded ? 'Added: show the correction' : 'Add to the correction'}
    </button>
  )
}
