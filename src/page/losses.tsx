import { useMemo } from 'preact/hooks'
import { REPLACED } from './strip-layout.ts'
import type { Compaction } from './use-compactions.ts'

/** What the replaced entries had, as far as code can find it, and what of it is not in the summary. */
export function Losses({ result }: { result: Compaction }) {
  const groups = useMemo(() => findLosses(result), [result])
  if (groups.length === 0) return null
  return (
    <section class="losses" aria-label="What the summary does not have">
      <h3>What the summary does not have</h3>
      <p class="hint">
        Code looks for requests, decisions, commands and errors of the replaced entries in the summary. What is listed
        here may still be there in other words.
      </p>
      {groups.map(({ name, lost, total }) =>
        lost.length === 0 ? (
          <p key={name} class="is-fine">{`${name}: all ${total} are in the summary`}</p>
        ) : (
          <details key={name}>
            <summary>{`${name}: ${lost.length} of ${total} are not in the summary`}</summary>
            <ul>
              {lost.map((text) => (
                <li key={text}>
                  <code>{text}</code>
                </li>
              ))}
            </ul>
          </details>
        ),
      )}
    </section>
  )
}

/** Returns in a few words what the summary does not have. */
export function describeLosses(result: Compaction): string {
  const parts = findLosses(result)
    .filter(({ lost }) => lost.length > 0)
    .map(({ name, lost, total }) => `${lost.length} of ${total} ${name.toLowerCase()}`)
  return parts.length === 0 ? 'nothing that code looks for is missing' : parts.join(', ')
}

/** So many characters of a text identify it. */
const START_CHARACTERS = 60

function findLosses({ reply: { summary, details }, entries }: Compaction) {
  const text = oneLine(summary)
  const isLost = (one: string): boolean => !text.includes(oneLine(one).slice(0, START_CHARACTERS))
  const requests = entries.filter(
    (entry) => REPLACED.includes(entry.region) && entry.role === 'user' && entry.startsTurn === true,
  )
  return [
    { name: 'Requests', all: requests.flatMap((entry) => entry.text ?? []) },
    { name: 'Decisions', all: details.keyDecisions?.map((decision) => decision.text) ?? [] },
    { name: 'Commands', all: details.commands?.map(({ command }) => command) ?? [] },
    { name: 'Errors', all: details.errors ?? [] },
  ]
    .map(({ name, all }) => ({ name, total: new Set(all).size, lost: [...new Set(all)].filter(isLost) }))
    .filter(({ total }) => total > 0)
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()
