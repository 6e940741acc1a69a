import type { ComparedFact, ComparisonReply } from '../schemas/comparison.ts'
import type { Fact } from '../schemas/provenance.ts'
import { factName, type Writers } from '../text/comparison-words.ts'
import { count } from '../text/numbers.ts'
import { LookUpButton } from './look-up-button.tsx'

interface ComparedFactsProps {
  reply: ComparisonReply
  writers: Writers
  /** Shows an entry. */
  onFact: (fact: Fact) => void
  /** Looks a text up in the session. */
  onLookUp: (text: string) => void
}

/** Returns the facts that only one of the summaries has, and those that none has, with their titles. */
export const groupFacts = ({ facts }: ComparisonReply, { agent, precis }: Writers) =>
  [
    { title: `Only ${precis} has`, facts: facts.filter(({ inAgent, inPrecis }) => inPrecis && !inAgent) },
    { title: `Only ${agent} has`, facts: facts.filter(({ inAgent, inPrecis }) => inAgent && !inPrecis) },
    { title: 'None of them has', facts: facts.filter(({ inAgent, inPrecis }) => !inAgent && !inPrecis) },
  ].filter((group) => group.facts.length > 0)

/** The facts that a summary does not have, each with its entry. */
export function ComparedFacts({ reply, writers, ...listeners }: ComparedFactsProps) {
  return (
    <section class="losses" aria-label="What only one of the summaries has">
      {groupFacts(reply, writers).map(({ title, facts }, at) => (
        <details key={title} open={at === 0}>
          <summary>{`${title}: ${count(facts.length)}`}</summary>
          <ul>
            {facts.map((fact) => (
              <FactItem key={`${fact.kind} ${fact.text}`} fact={fact} {...listeners} />
            ))}
          </ul>
        </details>
      ))}
      <p class="hint">
        Code looks for these facts. A request, a demand or an open item counts if most of its words are in a line of the
        summary, a file if its name is. What is listed here may still be there in other words.
      </p>
    </section>
  )
}

function FactItem({
  fact: { kind, text, entryIds },
  onFact,
  onLookUp,
}: Pick<ComparedFactsProps, 'onFact' | 'onLookUp'> & { fact: ComparedFact }) {
  const isFound = entryIds.length > 0
  return (
    <li>
      <span class="hint">{`${factName(kind)}: `}</span>
      <code>{text}</code>{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          onFact({ text, kind: 'quote', entryIds, count: isFound ? entryIds.length : null })
        }}
      >
        {isFound ? 'Show its entry' : 'Find its entries'}
      </button>{' '}
      <LookUpButton text={text} onLookUp={onLookUp} />
    </li>
  )
}
