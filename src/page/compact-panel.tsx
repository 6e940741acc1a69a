import { useState } from 'preact/hooks'
import { Form, TextField } from './fields.tsx'
import { ResultView, type ResultContext } from './result-view.tsx'
import { RunningView } from './running-view.tsx'
import type { Compaction, CompactionOptions } from './use-compactions.ts'
import { useScrollToNew } from './use-scroll-to-new.ts'
import type { OpenedSession } from './use-session.ts'
import { WriterField } from './writer-field.tsx'

/** Starts a compaction, and shows its progress and its result. */
export function CompactPanel({ candidates, ...context }: ResultContext & { candidates: readonly string[] }) {
  const { session, compactions, correction } = context
  const { results, progress, run, stop } = compactions
  const [result] = results
  const [instructions, setInstructions] = useState('')
  // The others follow it if it fails, unless one is chosen.
  const [first = ''] = candidates
  const [candidate, setCandidate] = useState(first)
  const isOff = session.plan.firstKeptEntryId === null || progress !== undefined
  // What was checked again is read where it was edited.
  const top = useScrollToNew(result?.options.summary === undefined ? result : undefined)
  return (
    <>
      <Form
        class="compact"
        name="Compact"
        onSubmit={() => {
          if (correction.isEdited && !confirm('Compact again, and lose the correction of the summary?')) return
          if (correction.isOpen) correction.show(false)
          void run(session, { ...optionsOf(session, instructions), ...(candidate !== first && { candidate }) })
        }}
      >
        <div class="row-of-fields">
          <WriterField label="Written by" {...{ candidates, candidate, setCandidate }} />
          <TextField
            label="What the summary should pay attention to (optional)"
            value={instructions}
            onInput={setInstructions}
          />
          <button type="submit" class="primary" disabled={isOff}>
            Compact
          </button>
        </div>
        {correction.isOpen ? null : <RunningView progress={progress} onStop={stop} />}
      </Form>
      <div ref={top}>
        <Result {...context} result={result} />
      </div>
    </>
  )
}

function Result({ result, prompts, ...context }: ResultContext & { result: Compaction | undefined }) {
  if (result === undefined)
    return (
      <p class="hint">The result shows the summary, its checks, and what is lost. The session file is not changed.</p>
    )
  const isCurrent = result.options.settings === context.session.settings
  return (
    <>
      {isCurrent ? null : (
        <p class="notice" role="status">
          The settings have changed since this result. Compact again to see their effect.
        </p>
      )}
      <ResultView {...context} result={result} prompts={isCurrent ? prompts : undefined} />
    </>
  )
}

export const optionsOf = ({ settings }: OpenedSession, instructions = ''): CompactionOptions => ({
  settings,
  ...(instructions.trim() !== '' && { customInstructions: instructions }),
})
