import type { Fact } from '../schemas/provenance.ts'
import type { PlannedEntry } from '../schemas/plan.ts'
import { ChecksView } from './checks.tsx'
import { DiffView } from './diff-view.tsx'
import { Losses } from './losses.tsx'
import { counted } from './numbers.ts'
import { Picture } from './picture.tsx'
import { SummaryText } from './summary-text.tsx'
import type { Compaction } from './use-compactions.ts'

interface ResultViewProps {
  result: Compaction
  entries: readonly PlannedEntry[]
  tokensKept: number
  previousSummary: string | undefined
  onFact: (fact: Fact) => void
}

/** A finished compaction: its picture, its summary with links, its checks, and what is lost. */
export function ResultView({ result: { reply }, entries, tokensKept, previousSummary, onFact }: ResultViewProps) {
  const facts = reply.provenance?.facts ?? []
  const unknown = facts.filter(({ count }) => count === 0)
  return (
    <article class="result" aria-label="Result of the compaction">
      <Picture reply={reply} tokensKept={tokensKept} />
      <p class="short">
        <strong>In short: </strong>
        {reply.shortSummary}
      </p>
      <h3>Checks</h3>
      <ChecksView reply={reply} />
      <p>
        {`${counted(facts.length, 'path, command or quote', 'paths, commands and quotes')} link to the entries where they stand`}
        {unknown.length === 0
          ? '.'
          : `; ${counted(unknown.length, 'is', 'are')} marked, because no entry has them word for word.`}
      </p>
      <h3>Summary</h3>
      <SummaryText summary={reply.summary} facts={facts} onFact={onFact} />
      {previousSummary === undefined ? null : <DiffView before={previousSummary} after={reply.summary} />}
      <Losses reply={reply} entries={entries} />
    </article>
  )
}
