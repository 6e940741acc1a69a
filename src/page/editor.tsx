import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { RunningView } from './running-view.tsx'
import type { Compaction, useCompactions } from './use-compactions.ts'
import type { Correction } from './use-correction.ts'
import type { OpenedSession } from './use-session.ts'

interface EditorProps {
  session: OpenedSession
  compactions: ReturnType<typeof useCompactions>
  result: Compaction
  correction: Correction
  /** What is said of the summary below it. */
  children: ComponentChildren
}

/** Lets a user edit the summary, and checks it again. */
export function Editor({ session, compactions, result, correction, children }: EditorProps) {
  const { progress, run, stop } = compactions
  const { text, setText, isEdited, view } = correction
  const box = useRef<HTMLTextAreaElement>(null)
  // Whatever leads to it shows it, also if it is open.
  useLayoutEffect(() => {
    box.current?.scrollIntoView()
    box.current?.focus({ preventScroll: true })
    if (!isEdited) box.current?.setSelectionRange(0, 0)
  }, [view])
  return (
    <div class="editor">
      <textarea
        ref={box}
        value={text}
        spellcheck={false}
        aria-labelledby="summary-heading"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!isEdited || text.trim() === '' || progress !== undefined}
          onClick={() => void run({ ...session, ...result }, { ...result.options, summary: text })}
        >
          Check the correction
        </button>
        <p class="hint" role="status">
          {isEdited ? 'The correction is not checked yet.' : 'Edit the text, then check it: no model is called.'}
        </p>
        <RunningView progress={progress} onStop={stop} />
      </div>
      {children}
    </div>
  )
}

/** Opens the editor in place of the summary, or closes it. */
export const EditButton = ({ correction: { isOpen, isEdited, show } }: { correction: Correction }) => (
  <button type="button" onClick={() => show(!isOpen)}>
    {isOpen ? 'Close the editor' : isEdited ? 'Go on correcting' : 'Correct the summary'}
  </button>
)
