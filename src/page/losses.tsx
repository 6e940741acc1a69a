import { useMemo } from 'preact/hooks'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { PlannedEntry } from '../schemas/plan.ts'
import { counted } from './numbers.ts'

interface LossesProps {
  reply: CompactionReply
  entries: readonly PlannedEntry[]
}

/** What the summary leaves out, as far as code can say. */
export function Losses({ reply, entries }: LossesProps) {
  const { groups, silent, replaced } = useMemo(() => findLosses(reply, entries), [reply, entries])
  return (
    <section class="losses">
      <h3>What is lost</h3>
      <p>
        {`The agent no longer sees the ${counted(replaced, 'replaced entry', 'replaced entries')}, only the summary. `}
        {`Of ${counted(silent, 'entry', 'entries')} among them, the summary has no path, command or quote word for word.`}
      </p>
      {groups.map(({ name, lost, total }) => (
        <details key={name}>
          <summary>{`${name} that the summary does not have: ${lost.length} of ${total}`}</summary>
          <ul>
            {lost.map((text) => (
              <li key={text}>
                <code>{text}</code>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

/** So many characters of a text identify it. */
const START_CHARACTERS = 60

function findLosses({ summary, details, provenance }: CompactionReply, entries: readonly PlannedEntry[]) {
  const text = oneLine(summary)
  const isLost = (one: string): boolean => !text.includes(oneLine(one).slice(0, START_CHARACTERS))
  const groups = [
    { name: 'Commands', all: details.commands?.map(({ command }) => command) ?? [] },
    { name: 'Errors', all: details.errors ?? [] },
    { name: 'Decisions', all: details.keyDecisions?.map((decision) => decision.text) ?? [] },
  ]
  const replaced = entries.filter(({ region }) => region === 'summarized' || region === 'turn-prefix')
  const silent = replaced.filter(({ id }) => !Object.hasOwn(provenance?.entryFacts ?? {}, id))
  return {
    replaced: replaced.length,
    silent: silent.length,
    groups: groups
      .map(({ name, all }) => ({ name, total: new Set(all).size, lost: [...new Set(all)].filter(isLost) }))
      .filter(({ total }) => total > 0),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()
