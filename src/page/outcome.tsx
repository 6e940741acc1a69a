import { Fragment, type ComponentChildren } from 'preact'
import { count, counted } from '../text/numbers.ts'
import { Jump, UNCONFIRMED } from './jump.tsx'
import { describeLeftOut } from './left-out.ts'
import { findLosses } from './find-losses.ts'
import { LostFact, type FactListeners } from './lost-fact.tsx'
import type { PromptsReply } from './prompts.tsx'
import { REPLACED, sumOf } from './strip-layout.ts'
import { UnreadFigures } from './unread.tsx'
import type { Compaction } from './use-compactions.ts'

interface OutcomeProps extends FactListeners {
  result: Compaction
  /** The prompts of the same settings; undefined until they have arrived. */
  prompts: PromptsReply | undefined
}

/** The entries that were summarized and kept, and the facts that were lost, in plain sentences. */
export function OutcomeView({ result, prompts, onFact, onLookUp }: OutcomeProps) {
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
          <UnreadFigures ignored={reply.report.ignored} />
        </p>
        <LostFirst {...{ result, onFact, onLookUp }} />
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
        <Jump to={UNCONFIRMED}>
          {`${counted(unconfirmed, 'path, command or quote', 'paths, commands or quotes')} unconfirmed`}
        </Jump>
      )}
      .
    </strong>
  )
}

/** How many lost facts the card names. */
const MAX_NAMED = 3

/** The first facts that are lost, as links to their entries: first those that changed something, or say why. */
function LostFirst({ result, ...listeners }: Omit<OutcomeProps, 'prompts'>) {
  const groups = findLosses(result)
  const lost = groups.flatMap((group) => group.lost)
  const [first] = groups.filter((group) => group.lost.length > 0)
  if (first === undefined) return null
  const named = [...lost.filter(({ text }) => !LOOKS.test(text)), ...lost.filter(({ text }) => LOOKS.test(text))]
  return (
    <>
      <ul class="lost-first">
        {named.slice(0, MAX_NAMED).map(({ text, entryId }) => (
          <LostFact key={text} text={text} entryIds={entryId === undefined ? [] : [entryId]} {...listeners} />
        ))}
      </ul>
      {lost.length > MAX_NAMED ? (
        <Jump to={`#${first.id} > summary`}>{`and ${lost.length - MAX_NAMED} more`}</Jump>
      ) : null}
    </>
  )
}

/** Commands that only look at something: little is lost with them. */
const LOOKS = /^(?:cat|find|git (?:diff|log|show|status)|grep|head|ls|pwd|rg|sed -n|tail|wc|\w+ (?:list|show))\b/

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
