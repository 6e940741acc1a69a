import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { counted } from '../text/numbers.ts'
import { Download, type DownloadProps } from './download.tsx'
import { Form, TextField } from './fields.tsx'
import type { FactListeners } from './lost-fact.tsx'
import type { PromptsReply } from './prompts.tsx'
import { ResultView } from './result-view.tsx'
import type { Compaction, CompactionOptions, CompactionProgress, useCompactions } from './use-compactions.ts'
import type { Correction } from './use-correction.ts'
import { useScrollToNew } from './use-scroll-to-new.ts'
import type { OpenedSession } from './use-session.ts'
import { WriterField } from './writer-field.tsx'

/** The properties of the panels of results. */
export interface ResultContext extends FactListeners {
  session: OpenedSession
  compactions: ReturnType<typeof useCompactions>
  prompts: PromptsReply | undefined
  onProblem: (problem: unknown) => void
  onCompact: () => void
  /** Shows another view. */
  onTab: (tab: string) => void
  /** The text of the correction, and how it is changed. */
  correction: Correction
  source: ComponentChildren
}

interface CompactPanelProps extends ResultContext, Pick<DownloadProps, 'replyForms'> {
  /** The models that can write the summary. */
  candidates: readonly string[]
}

/** Starts a compaction, and shows its progress and its result. */
export function CompactPanel(props: CompactPanelProps) {
  const { session, compactions, correction, candidates } = props
  const { results, progress, run, stop } = compactions
  const [result] = results
  const [instructions, setInstructions] = useState('')
  // The others follow it if it fails, unless one is chosen.
  const [first = ''] = candidates
  const [candidate, setCandidate] = useState(first)
  const isOff = session.plan.firstKeptEntryId === null || progress !== undefined
  const top = useScrollToNew(result)
  return (
    <>
      <Form
        class="compact"
        name="Compact"
        onSubmit={() => {
          if (!correction.isEdited || confirm('Compact again, and lose the correction of the summary?'))
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
        {progress === undefined ? null : <RunningView progress={progress} onStop={stop} />}
      </Form>
      <div ref={top}>
        <Result {...props} result={result} />
      </div>
    </>
  )
}

type ResultProps = Omit<CompactPanelProps, 'candidates'> & { result: Compaction | undefined }

function Result({ session, result, prompts, correction, replyForms, ...context }: ResultProps) {
  if (result === undefined) return <EmptyResult canCompact={session.plan.firstKeptEntryId !== null} />
  const isCurrent = result.options.settings === session.settings
  return (
    <>
      {isCurrent ? null : (
        <p class="notice" role="status">
          The settings have changed since this result. Compact again to see their effect.
        </p>
      )}
      <ResultView
        {...context}
        result={result}
        onAdd={correction.add}
        prompts={isCurrent ? prompts : undefined}
        download={<Download {...{ session, result, replyForms, onProblem: context.onProblem }} />}
      />
    </>
  )
}

export const optionsOf = ({ settings }: OpenedSession, instructions = ''): CompactionOptions => ({
  settings,
  ...(instructions.trim() !== '' && { customInstructions: instructions }),
})

function EmptyResult({ canCompact }: { canCompact: boolean }) {
  return canCompact ? (
    <p class="hint">The result shows the summary, its checks, and what is lost. The session file is not changed.</p>
  ) : (
    <p class="notice">There is nothing to compact: let fewer of the newest tokens stay word for word.</p>
  )
}

/** What a view shows that needs a result. */
export const CompactFirst = ({
  session,
  onCompact,
  children,
}: Pick<ResultContext, 'session' | 'onCompact'> & { children: string }) => (
  <>
    <p>{children}</p>
    {session.plan.firstKeptEntryId === null ? (
      <EmptyResult canCompact={false} />
    ) : (
      <button type="button" class="primary" onClick={onCompact}>
        Compact the session first
      </button>
    )}
  </>
)

const PHASES: Readonly<Record<string, string>> = {
  read: 'Reading the session',
  summarize: 'Writing the summary',
  merge: 'Merging the parts',
  repair: 'Repairing the summary',
}

/** The progress of a running compaction. */
export function RunningView({
  progress: { phase, done, total },
  onStop,
}: {
  progress: CompactionProgress
  onStop: () => void
}) {
  const calls = total > 0 ? `, ${done} of ${counted(total, 'call')} done` : ''
  return (
    <div class="running">
      <progress aria-label="Progress" {...(total > 0 && { value: done, max: total })} />
      <span role="status">{`${PHASES[phase] ?? phase}${calls}`}</span>
      <button type="button" onClick={onStop}>
        Stop
      </button>
    </div>
  )
}
