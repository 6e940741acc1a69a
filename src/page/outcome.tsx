import { Fragment, type ComponentChildren } from 'preact'
import { count, counted } from '../text/numbers.ts'
import { Jump } from './jump.tsx'
import { describeLeftOut } from './left-out.ts'
import { findLosses } from './find-losses.ts'
import type { PromptsReply } from './prompts.tsx'
import { REPLACED, sumOf } from './strip-layout.ts'
import type { Compaction } from './use-compactions.ts'

interface OutcomeProps {
  result: Compaction
  /** The prompts of the same settings; undefined until they have arrived. */
  prompts: PromptsReply | undefined
}

/** The entries that were summarized and kept, and the facts that were lost, in plain sentences. */
export function OutcomeView({ result, prompts }: OutcomeProps) {
  const { entries, plan, reply } = result
  const replaced = sumOf(entries, REPLACED)
  const kept = sumOf(entries, ['kept'])
  const covered = sumOf(entries, ['covered'])
  return (
    <div class="outcome">
      <Card name="summarized" title="Summarized">
        <p>
          <strong>{`${count(replaced.entries)} of ${counted(entries.length, 'entry', 'entries')}`}</strong>
          {` are replaced by the summary below: ${counted(replaced.tokens, 'token')} become ${count(summaryTokensOf(result))}.`}
          {covered.entries === 0
            ? ''
            : ` Another ${count(covered.entries)} were summarized before, in ${counted(plan.previousSummaryTokens, 'token')}: these are replaced too.`}
        </p>
      </Card>
      <Card name="kept" title="Kept">
        <p>
          <strong>{describeNewest(kept.entries)}</strong>
          {` (${counted(plan.tokensKept, 'token')}) ${kept.entries === 1 ? 'stays' : 'stay'} word for word.`}
        </p>
      </Card>
      <Card name="lost" title="Not in the summary">
        <p>
          <LostFigures result={result} />
          {' The agent no longer sees the replaced entries; the session still has them. '}
          {readingOf(reply.report.model, prompts)}
        </p>
      </Card>
    </div>
  )
}

/** The numbers of missing and unconfirmed facts, as links to them. */
function LostFigures({ result }: { result: Compaction }) {
  const losses = findLosses(result).filter(({ lost }) => lost.length > 0)
  const unconfirmed = result.reply.provenance?.facts.filter((fact) => fact.count === 0).length ?? 0
  return (
    <strong>
      {losses.length === 0 ? 'Nothing that code looks for is missing' : null}
      {losses.map(({ id, name, lost, total }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : ''}
          <Jump
            to={`#${id} > summary`}
          >{`${lost.length} of ${counted(total, name.toLowerCase().slice(0, -1))} missing`}</Jump>
        </Fragment>
      ))}
      {unconfirmed === 0 ? null : ', '}
      {unconfirmed === 0 ? null : (
        <Jump to=".summary-text mark.unknown, .editor textarea">
          {`${counted(unconfirmed, 'path, command or quote', 'paths, commands or quotes')} unconfirmed`}
        </Jump>
      )}
      .
    </strong>
  )
}

export const describeNewest = (entries: number): string =>
  entries === 1 ? 'The newest entry' : `The newest ${counted(entries, 'entry', 'entries')}`

/** Returns how many tokens of the new context are the summary. */
export const summaryTokensOf = ({ reply: { tokensAfter = 0 }, plan: { tokensKept } }: Compaction): number =>
  Math.max(0, tokensAfter - tokensKept)

/** Returns what the writer of the summary could not read. */
function readingOf(model: string, prompts: PromptsReply | undefined): string {
  if (model === 'embedded' || model === 'caller' || prompts?.prompts === undefined) return ''
  return `Left out of what the model read: ${describeLeftOut(prompts.prompts)}.`
}

function Card({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  return (
    <section class={`card card-${name}`}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
