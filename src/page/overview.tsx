import { useMemo } from 'preact/hooks'
import { contextOf, count, counted, OUTSIDE } from '../text/numbers.ts'
import { agentName } from '../text/comparison-words.ts'
import { describeNewest } from './outcome.tsx'
import { REPLACED, sumOf } from './strip-layout.ts'
import type { OpenedSession } from './use-session.ts'

interface SessionHeadingProps {
  session: OpenedSession
  canCompact: boolean
  onCompact: () => void
}

/** The name of the session, the plan in words, and the next step. */
export function SessionHeading({ session: { document, plan, entries }, canCompact, onCompact }: SessionHeadingProps) {
  const format = plan.report?.format
  const text = useMemo(() => <Overview plan={plan} entries={entries} />, [plan, entries])
  return (
    <div class="session-heading">
      <div>
        <h2>{document.name}</h2>
        {text}
        {format === undefined ? null : <p class="hint">{`Read as a session of ${agentName(format)}.`}</p>}
      </div>
      {canCompact ? (
        <button type="button" class="primary" onClick={onCompact}>
          Compact this session
        </button>
      ) : null}
    </div>
  )
}

/** The entries that a compaction replaces and those that stay, in words. */
function Overview({ plan, entries }: Pick<OpenedSession, 'plan' | 'entries'>) {
  const { isSplitTurn, hasPreviousSummary, firstKeptEntryId, tokensKept } = plan
  const context = contextOf(plan)
  if (firstKeptEntryId === null)
    return (
      <p class="notice">
        {`There is nothing to compact: all ${counted(tokensKept, 'token')} stay. Move “Newest tokens that stay word for word” to the left.`}
      </p>
    )
  const replaced = sumOf(entries, REPLACED)
  const { entries: kept } = sumOf(entries, ['kept'])
  return (
    <div class="overview">
      <p>
        {`The agent’s model now reads ${context.outside > 0 ? 'about ' : ''}${counted(context.messages + context.outside, 'token')}`}
        {context.outside > 0 ? `: ${count(context.messages)} in messages, and the rest beside them (${OUTSIDE})` : ''}
        {'. A compaction replaces '}
        <strong class="is-replaced">{counted(replaced.entries, 'entry', 'entries')}</strong>
        {` (${counted(replaced.tokens, 'token')}) by a summary. `}
        <strong class="is-kept">{describeNewest(kept)}</strong>
        {` (${counted(tokensKept, 'token')}) ${kept === 1 ? 'stays' : 'stay'} word for word.`}
        {hasPreviousSummary ? ' The session was compacted before: that summary is brought up to date.' : ''}
      </p>
      {isSplitTurn ? (
        <p class="hint">
          The cut is inside the current turn: a request of the user, with all work on it. The start of this turn gets a
          summary of its own, so that the agent still knows what it is working on.
        </p>
      ) : null}
    </div>
  )
}
