import { useEffect } from 'preact/hooks'
import { Intro } from './intro.tsx'
import { OpenSession } from './open-session.tsx'
import { send } from './service.ts'
import { SessionView } from './session-view.tsx'
import { TokenForm } from './token-form.tsx'
import { useAccess } from './use-access.ts'
import { useCompactions } from './use-compactions.ts'
import { useSession } from './use-session.ts'

/** The page. */
export function App() {
  const { access, service, problem, onProblem, clearProblem, useToken } = useAccess()
  const sessions = useSession(onProblem)
  const compactions = useCompactions(onProblem)
  const { session, isBusy } = sessions
  const open = (name: string, blob: Blob): void => {
    clearProblem()
    compactions.clear()
    void sessions.open(name, blob)
  }
  useEffect(() => {
    if (service?.session !== undefined) openByItself(service.session, open).catch(onProblem)
  }, [service])
  return (
    <>
      <Header />
      <main>
        {problem === undefined ? null : <ProblemView text={problem} onClose={clearProblem} />}
        {session === undefined ? <Intro /> : null}
        {access === 'needs-token' || access === 'refused' ? (
          <TokenForm isRefused={access === 'refused'} onToken={useToken} />
        ) : null}
        {access === 'open' && service !== undefined ? (
          <OpenSession isOpen={session === undefined} {...{ isBusy, onOpen: open, models: service.candidates }} />
        ) : null}
        {isBusy && session === undefined ? (
          <p class="notice" role="status">
            Reading the session …
          </p>
        ) : null}
        {access === 'open' && service !== undefined && session !== undefined ? (
          <SessionView
            key={session.document.blob}
            {...{ session, isBusy, change: sessions.change, compactions, service, onProblem }}
          />
        ) : null}
      </main>
    </>
  )
}

/** Opens the session that the service has for the page. */
async function openByItself(name: string, open: (name: string, blob: Blob) => void): Promise<void> {
  open(name, await (await send('page/session', { accept: '*/*' })).blob())
}

function Header() {
  return (
    <header>
      <h1>Précis</h1>
      <p>What a compaction keeps of a coding agent’s session, and what it loses</p>
      <a href="docs">API reference</a>
    </header>
  )
}

function ProblemView({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  )
}
