import { OpenSession } from './open-session.tsx'
import { RunningView } from './running-view.tsx'
import { SessionView } from './session-view.tsx'
import type { OpenedSession } from './use-session.ts'
import type { SessionViewProps } from './views.tsx'

interface SessionsProps extends Omit<SessionViewProps, 'session'> {
  session: OpenedSession | undefined
  /** Whether the start of the page is shown. The opened session stays as it is, for the way back to it. */
  isStart: boolean
  /** Whether a session is being opened. */
  isOpening: boolean
  stop: () => void
  onOpen: (name: string, blob: Blob, more?: number) => void
}

const OPENING = { phase: 'read', done: 0, total: 0 }

/** The ways to open a session, and the opened one. */
export function Sessions({ session, isStart, isOpening, stop, onOpen, ...context }: SessionsProps) {
  const { isBusy, service, go } = context
  return (
    <>
      <OpenSession isOpen={isStart} {...{ isBusy, onOpen, models: service.candidates }} />
      <RunningView progress={isOpening ? OPENING : undefined} onStop={stop} />
      {session !== undefined && isStart ? (
        <button type="button" onClick={() => go({ tab: 'entries' })}>{`Back to ${session.document.name}`}</button>
      ) : null}
      {session === undefined ? null : (
        <div key={session.document.blob} hidden={isStart}>
          <SessionView {...context} session={session} />
        </div>
      )}
    </>
  )
}
