import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { ComparisonReply } from '../schemas/comparison.ts'
import type { PastCompaction } from '../schemas/past-compaction.ts'
import { describeLengths, describeReplacedEntries, writersOf } from '../text/comparison-words.ts'
import { counted } from '../text/numbers.ts'
import { ComparedFacts } from './compared-facts.tsx'
import { ComparedFigures } from './compared-figures.tsx'
import { Form, SelectField } from './fields.tsx'
import type { FactListeners } from './lost-fact.tsx'
import { PastCompactions } from './past-compactions.tsx'
import { RunningView } from './running-view.tsx'
import { isCompacted } from './strip-layout.ts'
import { SummaryColumn } from './summary-text.tsx'
import type { useComparison } from './use-comparison.ts'
import { useScrollToNew } from './use-scroll-to-new.ts'
import type { OpenedSession } from './use-session.ts'
import { WriterField } from './writer-field.tsx'

interface AgentPanelProps extends FactListeners {
  session: OpenedSession
  comparison: ReturnType<typeof useComparison>
  /** The models that can write the second summary. */
  candidates: readonly string[]
  /** What each compaction dropped; undefined where there is no chain of them. */
  past: readonly PastCompaction[] | undefined
  source: ComponentChildren
}

/** The summary that the agent has written itself, beside one of the same entries. */
export function AgentPanel({ session, comparison, candidates, onFact, onLookUp, past, source }: AgentPanelProps) {
  const { reply, reason, progress, stop } = comparison
  const top = useScrollToNew(reply)
  if (!session.entries.some(isCompacted))
    return (
      <p>
        {`Your agent has not compacted this session yet${session.entries.some(({ isOffBranch }) => isOffBranch) ? ' on the branch of its newest entry' : ''}: there is no summary of its own to compare with.`}
      </p>
    )
  return (
    <>
      <h3>Your agent’s own compaction, and ours</h3>
      <CompareForm {...{ comparison, candidates, past }} />
      <RunningView progress={progress} onStop={stop} />
      {reason === undefined ? null : (
        <p class="notice" role="status">
          {reason.replace(/ POST it to \/compaction[^.]*\./, ' “Compact” writes one.')}
        </p>
      )}
      <div ref={top}>
        {reply === undefined ? null : <ComparisonView key={reply} {...{ session, reply, onFact, onLookUp }} />}
      </div>
      {past === undefined ? null : <PastCompactions compactions={past} {...{ onFact, onLookUp }} />}
      {reply === undefined && past === undefined ? null : source}
    </>
  )
}

const WHAT_IT_DOES =
  'Précis summarizes what a compaction of your agent has replaced, and shows what each summary has of it.'

function CompareForm({ comparison, candidates, past }: Pick<AgentPanelProps, 'comparison' | 'candidates' | 'past'>) {
  const { reply, progress, run } = comparison
  const [candidate, setCandidate] = useState(candidates[0] ?? 'embedded')
  const [number, setNumber] = useState('')
  const numbers = Array.from({ length: reply?.compaction.of ?? 0 }, (_, at) => at + 1)
  return (
    <Form
      class="compact"
      name="Compare with the agent"
      onSubmit={() => void run({ candidate, ...(number !== '' && { compaction: Number(number) }) })}
    >
      <p class="hint">{WHAT_IT_DOES}</p>
      <div class="row-of-fields">
        <WriterField label="The second summary is written by" {...{ candidates, candidate, setCandidate }} />
        {numbers.length > 1 ? (
          <SelectField
            label="Compaction"
            value={number}
            onChange={setNumber}
            options={[
              ['', 'the newest of the agent'],
              ...numbers.map((one) => [String(one), `${one} of ${numbers.length}${sizeOf(past, one)}`] as const),
            ]}
          />
        ) : null}
        <button type="submit" class="primary" disabled={progress !== undefined}>
          Compare
        </button>
      </div>
    </Form>
  )
}

/** Returns how many entries a compaction replaced, where that is known. */
function sizeOf(past: AgentPanelProps['past'], number: number): string {
  const one = past?.find((compaction) => compaction.number === number)
  return one === undefined ? '' : `: ${counted(one.entries, 'entry', 'entries')}`
}

function ComparisonView({
  session,
  reply,
  onFact,
  onLookUp,
}: Pick<AgentPanelProps, 'session' | 'onFact' | 'onLookUp'> & { reply: ComparisonReply }) {
  const writers = useMemo(() => writersOf(reply), [reply])
  return (
    <article aria-label="Comparison with the agent">
      <p>{`${describeReplacedEntries(reply)} ${describeLengths(reply)}`.trimEnd()}</p>
      <ComparedFigures {...{ session, reply, writers }} />
      <ComparedFacts {...{ reply, writers, onFact, onLookUp }} />
      <div class="columns">
        {(['agent', 'precis'] as const).map((side) => {
          const { tokens, unknown } = reply[side]
          return (
            <SummaryColumn key={side} name={`Summary by ${writers[side]}`} written={reply[side]} onFact={onFact}>
              <p>{counted(tokens, 'token')}</p>
              {unknown.length === 0 ? null : (
                <p class="notice">{`Not in the entries that it replaces: ${unknown.join(', ')}`}</p>
              )}
            </SummaryColumn>
          )
        })}
      </div>
    </article>
  )
}
