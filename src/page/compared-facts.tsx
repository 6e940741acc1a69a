import type { ComparisonReply } from '../schemas/comparison.ts'
import { factName, groupFacts, type Writers } from '../text/comparison-words.ts'
import { count } from '../text/numbers.ts'
import { LostFact, type FactListeners } from './lost-fact.tsx'

interface ComparedFactsProps extends FactListeners {
  reply: ComparisonReply
  writers: Writers
}

/** The facts that a summary does not have, each with its entry. */
export function ComparedFacts({ reply, writers, ...listeners }: ComparedFactsProps) {
  return (
    <section class="losses" aria-label="What only one of the summaries has">
      <p class="hint">
        {reply.precis.report.model === 'embedded'
          ? 'The code that looks for these facts wrote one of the summaries from them: it has more of them than of what was meant, which nothing here measures. '
          : 'Code looks for these facts: whether the meaning is kept is not measured. '}
        A request, a demand or an open item counts if most of its words are in a line of the summary, a file if its name
        is. What is listed here may still be there in other words.
      </p>
      {groupFacts(reply.facts, writers).map(({ title, facts }, at) => (
        <details key={title} open={at === 0}>
          <summary>{`${title}: ${count(facts.length)}`}</summary>
          <ul>
            {facts.map(({ kind, text, entryIds }, index) => (
              <LostFact key={index} {...{ text, entryIds }} lead={`${factName(kind)}: `} {...listeners} />
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
