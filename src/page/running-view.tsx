import { counted } from '../text/numbers.ts'
import type { CompactionProgress } from './use-compactions.ts'

const PHASES: Readonly<Record<string, string>> = {
  read: 'Reading the session',
  summarize: 'Writing the summary',
  merge: 'Merging the parts',
  repair: 'Repairing the summary',
}

interface RunningViewProps {
  progress: CompactionProgress | undefined
  onStop: () => void
}

/** The progress of a compaction while it runs. */
export function RunningView({ progress, onStop }: RunningViewProps) {
  if (progress === undefined) return null
  const { phase, done, total } = progress
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
