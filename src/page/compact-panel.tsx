import { useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { TextField } from './fields.tsx'
import { counted } from './numbers.ts'
import { ResultView } from './result-view.tsx'
import type { Progress, useCompactions } from './use-compactions.ts'
import type { OpenSession } from './use-session.ts'

/** What the panels of results need. */
export interface ResultContext {
  session: OpenSession
  compactions: ReturnType<typeof useCompactions>
  previousSummary: string | undefined
  onFact: (fact: Fact) => void
}

/** Starts a compaction, and shows its progress and its result. */
export function CompactPanel({ session, compactions, previousSummary, onFact }: ResultContext) {
  const { document, settings, plan, entries } = session
  const { results, progress, run, stop } = compactions
  const [result] = results
  const [instructions, setInstructions] = useState('')
  return (
    <>
      <form
        class="compact"
        aria-label="Compact"
        onSubmit={(event) => {
          event.preventDefault()
          void run(document, { settings, ...(instructions.trim() !== '' && { customInstructions: instructions }) })
        }}
      >
        <TextField
          label="What the summary should look after (optional)"
          value={instructions}
          onInput={setInstructions}
        />
        <button type="submit" class="primary" disabled={plan.firstKeptEntryId === null || progress !== undefined}>
          Compact
        </button>
        {progress === undefined ? null : <RunningView progress={progress} onStop={stop} />}
      </form>
      {result === undefined ? null : (
        <ResultView {...{ result, entries, previousSummary, onFact, tokensKept: plan.tokensKept }} />
      )}
    </>
  )
}

const PHASES: Readonly<Record<string, string>> = {
  read: 'Reading the session',
  summarize: 'Writing the summary',
  merge: 'Merging the parts',
  repair: 'Repairing the summary',
}

/** The progress of a running compaction. */
export function RunningView({ progress: { phase, done, total }, onStop }: { progress: Progress; onStop: () => void }) {
  const calls = total > 0 ? `, ${done} of ${counted(total, 'call')} done` : ''
  return (
    <div class="running" role="status">
      <progress aria-label="Progress" {...(total > 0 && { value: done, max: total })} />
      <span>{`${PHASES[phase] ?? phase}${calls}`}</span>
      <button type="button" onClick={onStop}>
        Stop
      </button>
    </div>
  )
}
