import type { ComponentChildren } from 'preact'
import { ChecksView } from './checks.tsx'
import { InlineText } from './inline-text.tsx'
import { Items } from './items.tsx'
import { Losses } from './losses.tsx'
import type { FactListeners } from './lost-fact.tsx'
import { OutcomeView } from './outcome.tsx'
import { PictureView } from './picture.tsx'
import type { PromptsReply } from './prompts.tsx'
import { SummaryText } from './summary-text.tsx'
import { Unread } from './unread.tsx'
import type { Compaction } from './use-compactions.ts'
import { DiffView } from './diff-view.tsx'

interface ResultViewProps extends FactListeners {
  result: Compaction
  prompts: PromptsReply | undefined
  /** Adds a text to the correction of the summary. */
  onAdd: (text: string) => void
  onTab: (tab: string) => void
  download: ComponentChildren
  source: ComponentChildren
}

/** A finished compaction: what it did, its checks, and its summary with links to the entries. */
export function ResultView({ result, prompts, onFact, onLookUp, onAdd, onTab, download, source }: ResultViewProps) {
  const { reply } = result
  const facts = reply.provenance?.facts ?? []
  return (
    <article class="result" aria-label="Result of the compaction">
      <OutcomeView {...{ result, prompts }} />
      <PictureView result={result} />
      {download}
      <ChecksView result={result} />
      <Items result={result} onFact={onFact} />
      <div class="with-source">
        {source}
        <div>
          <Losses {...{ result, onFact, onLookUp, onAdd, onTab }} />
          <Unread ignored={reply.report.ignored} />
          {prompts?.previousSummary === undefined || !hasHeadingsOf(prompts.previousSummary, reply.summary) ? null : (
            <DiffView name="Beside the previous summary" before={prompts.previousSummary} after={reply.summary} />
          )}
          <h3>The summary, as the agent will read it</h3>
          <p>
            <strong>In short: </strong>
            <InlineText text={reply.shortSummary} />
          </p>
          <SummaryText summary={reply.summary} facts={facts} onFact={onFact} hasContents />
        </div>
      </div>
    </article>
  )
}

/** Whether a summary has most headings of another one: the lines of one that is written otherwise say nothing beside it. */
function hasHeadingsOf(before: string, after: string): boolean {
  const headings = before.match(/^## .+$/gm) ?? []
  return headings.length > 0 && headings.filter((one) => after.includes(`${one}\n`)).length > headings.length / 2
}
