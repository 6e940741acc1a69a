import { useMemo } from 'preact/hooks'
import { contextOf, count, counted, OUTSIDE } from '../text/numbers.ts'
import { agentName, describeEncrypted } from '../text/comparison-words.ts'
import { describeNewest } from './outcome.tsx'
import { REPLACED, sumOf } from './strip-layout.ts'
import type { OpenedSession } from './use-session.ts'

interface SessionHeadingProps {
  session: OpenedSession
  canCompact: boolean
  onCompact: () => void
  /** Changes how many of the newest tokens stay. */
  onKeep: (tokens: number) => void
}

/** The name of the session, the plan in words, and the next step. */
export function SessionHeading({ session, canCompact, onCompact, onKeep }: SessionHeadingProps) {
  const { document, plan, entries } = session
  const format = plan.report?.format
  const text = useMemo(() => <Overview plan={plan} entries={entries} />, [plan, entries])
  return (
    <div class="session-heading">
      <div>
        <h2>{document.name}</h2>
        <Doubts plan={plan} entries={entries} />
        {plan.firstKeptEntryId === null ? <NothingToCompact session={session} onKeep={onKeep} /> : text}
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

/** What a reader must know before he believes the plan: lines that could not be read, and a compaction that is encrypted. */
function Doubts({ plan, entries }: Pick<OpenedSession, 'plan' | 'entries'>) {
  return (
    <>
      {[describeDamage(plan, entries), describeEncrypted(plan)].map((text) =>
        text === '' ? null : <p class="doubt">{text}</p>,
      )}
    </>
  )
}

/** How many numbers of lines are named. */
const MAX_NAMED = 5

/** Returns which lines were not read, and how many entries are cut off from the rest because of that. */
function describeDamage({ report }: OpenedSession['plan'], entries: OpenedSession['entries']): string {
  const lines = report?.ignored?.lines ?? []
  if (lines.length === 0) return ''
  const named = `${lines.slice(0, MAX_NAMED).join(', ')}${lines.length > MAX_NAMED ? ', …' : ''}`
  const begin = entries.findIndex(({ isOffBranch }) => isOffBranch !== true)
  const cut = begin < 1 ? '' : ` ${CUT_OFF(begin)}`
  return `${counted(lines.length, 'line')} of the file could not be read (${named}).${cut}`
}

const CUT_OFF = (cut: number): string =>
  `The ${counted(cut, 'entry', 'entries')} before entry ${count(cut + 1)} ${cut === 1 ? 'is' : 'are'} cut off from the newest ones, and count as a branch that was left, although the provider counted their tokens.`

/** The plan in words where all entries stay, and a way to settings that change it. */
function NothingToCompact({ session: { plan, settings }, onKeep }: Pick<SessionHeadingProps, 'session' | 'onKeep'>) {
  const { tokensKept, previousSummaryTokens, keep } = plan
  const summary = previousSummaryTokens === 0 ? '' : ` beside the summary of ${count(previousSummaryTokens)}`
  const isLeast = settings.keepRecentTokens === 0
  const why = isLeast ? 'the newest message always does' : `up to ${count(keep.asked)} may`
  const half = Math.floor((tokensKept * keep.ratio) / 2)
  return (
    <>
      <p class="notice">
        {`There is nothing to compact: all ${counted(tokensKept, 'token')} of the messages stay${summary}, since ${why}.`}
      </p>
      {isLeast ? null : (
        <button type="button" onClick={() => onKeep(half < MIN_HALF ? 0 : half)}>
          Let fewer stay
        </button>
      )}
    </>
  )
}

/** Below this, a smaller number of tokens rarely moves the cut. */
const MIN_HALF = 500

/** The entries that a compaction replaces and those that stay, in words. */
function Overview({ plan, entries }: Pick<OpenedSession, 'plan' | 'entries'>) {
  const { isSplitTurn, hasPreviousSummary, tokensKept } = plan
  const context = contextOf(plan)
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
          The cut is inside the current turn: a request of the user, with all work on it. Its start gets a summary of
          its own, so that the agent still knows what it is doing.
        </p>
      ) : null}
    </div>
  )
}
