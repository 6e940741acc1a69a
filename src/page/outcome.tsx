import type { ComponentChildren } from 'preact'
import { describeLeftOut } from './left-out.ts'
import { describeLosses } from './losses.tsx'
import { count, counted } from './numbers.ts'
import type { PromptsReply } from './prompts.tsx'
import { REPLACED, sumOf } from './strip-layout.ts'
import type { Compaction } from './use-compactions.ts'

interface OutcomeProps {
  result: Compaction
  /** The prompts of the same settings; undefined while they are not there. */
  prompts: PromptsReply | undefined
}

/** What was summarized, what was kept and what was lost, in plain sentences. */
export function Outcome({ result, prompts }: OutcomeProps) {
  const { entries, plan, reply } = result
  const replaced = sumOf(entries, REPLACED)
  const kept = sumOf(entries, ['kept'])
  const covered = sumOf(entries, ['covered'])
  return (
    <div class="outcome">
      <Card name="summarized" title="Summarized">
        <strong>{`${count(replaced.entries)} of ${counted(entries.length, 'entry', 'entries')}`}</strong>
        {` are replaced by the summary below: ${counted(replaced.tokens, 'token')} become ${count(summaryTokensOf(result))}.`}
        {covered.entries === 0
          ? ''
          : ` Another ${count(covered.entries)} were summarized before: the new summary replaces that one too.`}
      </Card>
      <Card name="kept" title="Kept">
        <strong>{`The newest ${counted(kept.entries, 'entry', 'entries')}`}</strong>
        {` (${counted(plan.tokensKept, 'token')}) stay word for word.`}
      </Card>
      <Card name="lost" title="Lost">
        {`The agent no longer sees the replaced entries, only the summary. Not word for word in the summary: ${describeLosses(result)}. `}
        {readingOf(reply.report.model, prompts)}
      </Card>
    </div>
  )
}

/** Returns how many tokens of the new context are the summary. */
export const summaryTokensOf = ({ reply: { tokensAfter = 0 }, plan: { tokensKept } }: Compaction): number =>
  Math.max(0, tokensAfter - tokensKept)

/** Returns what the writer of the summary could not read. */
function readingOf(model: string, prompts: PromptsReply | undefined): string {
  if (model === 'embedded') return 'Code picked its sentences; no model read or wrote anything.'
  if (model === 'caller' || prompts?.prompts === undefined) return ''
  return `Left out of what the model read: ${describeLeftOut(prompts.prompts)}.`
}

function Card({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  return (
    <section class={`card card-${name}`}>
      <h3>{title}</h3>
      <p>{children}</p>
    </section>
  )
}
