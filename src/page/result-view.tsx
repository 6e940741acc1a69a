import type { ComponentChildren } from 'preact'
import { ChecksView } from './checks.tsx'
import { DiffView } from './diff-view.tsx'
import { Download } from './download.tsx'
import { EditButton, Editor } from './editor.tsx'
import { InlineText } from './inline-text.tsx'
import { Items } from './items.tsx'
import { Losses } from './losses.tsx'
import type { FactListeners } from './lost-fact.tsx'
import { OutcomeView } from './outcome.tsx'
import { PictureView } from './picture.tsx'
import type { PromptsReply } from './prompts.tsx'
import { SummaryText } from './summary-text.tsx'
import { Unread } from './unread.tsx'
import type { Compaction, useCompactions } from './use-compactions.ts'
import type { Correction } from './use-correction.ts'
import type { OpenedSession } from './use-session.ts'

/** The properties of the panels of results. */
export interface ResultContext extends FactListeners {
  session: OpenedSession
  compactions: ReturnType<typeof useCompactions>
  prompts: PromptsReply | undefined
  replyForms: readonly string[]
  onProblem: (problem: unknown) => void
  correction: Correction
  source: ComponentChildren
}

type ResultViewProps = ResultContext & { result: Compaction }

/** A finished compaction: what it did, its checks, and its summary with links to the entries, or the editor of it. */
export function ResultView(props: ResultViewProps) {
  const { result, prompts, source, correction, onFact, onLookUp } = props
  const { reply } = result
  return (
    <article class="result" aria-label="Result of the compaction">
      <OutcomeView {...{ result, prompts }} />
      <PictureView result={result} />
      {/* Both are beside the editor while that is open. The button stays for the way back. */}
      <div hidden={correction.isOpen}>
        <Download {...props}>
          <EditButton correction={correction} />
        </Download>
      </div>
      {correction.isOpen ? null : <ChecksView result={result} />}
      <Items result={result} onFact={onFact} />
      <div class="with-source">
        {source}
        <div>
          <Losses {...{ result, correction, onFact, onLookUp }} />
          <Unread ignored={reply.report.ignored} />
          {prompts?.previousSummary === undefined || !hasHeadingsOf(prompts.previousSummary, reply.summary) ? null : (
            <DiffView name="Beside the previous summary" before={prompts.previousSummary} after={reply.summary} />
          )}
          <Summary {...props} />
        </div>
      </div>
    </article>
  )
}

/** The summary, or the editor of it. */
function Summary(props: ResultViewProps) {
  const { correction, onFact } = props
  const { reply } = props.result
  const { isOpen, isEdited } = correction
  return (
    <>
      <div class="actions">
        <h3 id="summary-heading">The summary, as the agent will read it</h3>
        <EditButton correction={correction} />
        {isEdited && !isOpen ? <p class="hint">Your correction is not checked yet.</p> : null}
      </div>
      {isOpen ? (
        <Editor {...props}>
          {isEdited ? null : <ChecksView result={props.result} />}
          <Download {...props} isUnchecked={isEdited} />
        </Editor>
      ) : (
        <>
          <p>
            <strong>In short: </strong>
            <InlineText text={reply.shortSummary} />
          </p>
          <SummaryText written={reply} onFact={onFact} hasContents />
        </>
      )}
    </>
  )
}

/** Whether a summary has most headings of another one: the lines of one that is written otherwise say nothing beside it. */
function hasHeadingsOf(before: string, after: string): boolean {
  const headings = before.match(/^## .+$/gm) ?? []
  return headings.length > 0 && headings.filter((one) => after.includes(`${one}\n`)).length > headings.length / 2
}
