import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from './service.ts'
import { Sessions } from './sessions.tsx'
import { useAccess } from './use-access.ts'
import { useSession } from './use-session.ts'
import { useView } from './use-view.ts'
import { Form, TextField } from './fields.tsx'
import { Bar } from './picture.tsx'

/** The page. */
function App() {
  const { access, service, problem, onProblem, clearProblem, useToken } = useAccess()
  const sessions = useSession(onProblem)
  const { session } = sessions
  const { view, go } = useView()
  const isEdited = useRef(false)
  const open = (name: string, blob: Blob, more = 0): void => {
    if (isEdited.current && !confirm(`Open “${name}”, and lose the correction of the summary?`)) return
    clearProblem()
    void sessions.open(name, blob).then((opened) => {
      if (opened === undefined) return
      go({ tab: 'entries' })
      if (more > 0) onProblem(new Error(`“${name}” is open. The page shows one session: open the others one by one.`))
    })
  }
  useEffect(() => {
    if (service?.session !== undefined) openByItself(service.session, open).catch(onProblem)
  }, [service])
  const isStart = session === undefined || view.tab === undefined
  return (
    <>
      <Header />
      <main>
        {problem === undefined ? null : <ProblemView text={problem} onClose={clearProblem} />}
        {isStart ? <Intro /> : null}
        {access === 'needs-token' || access === 'refused' ? (
          <TokenForm isRefused={access === 'refused'} onToken={useToken} />
        ) : null}
        {access === 'open' && service !== undefined ? (
          <Sessions {...{ ...sessions, service, isStart, onOpen: open, onProblem, clearProblem, view, go, isEdited }} />
        ) : null}
      </main>
    </>
  )
}

async function openByItself(name: string, open: (name: string, blob: Blob) => void): Promise<void> {
  open(name, await (await send('page/session', { accept: '*/*' })).blob())
}

function Header() {
  return (
    <header>
      <h1>Précis</h1>
      <p>What a compaction keeps of a coding agent’s session, and what it loses</p>
      <nav>
        <a href="docs#agents" target="_blank">
          Use it with your agent
        </a>
        <a href="docs" target="_blank">
          API reference
        </a>
      </nav>
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

/** Asks for a service token. */
function TokenForm({ isRefused, onToken }: { isRefused: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  return (
    <Form
      class="token"
      name="Service token"
      onSubmit={() => {
        if (token.trim() !== '') onToken(token.trim())
      }}
    >
      {isRefused ? <p role="alert">The service refused this token. Enter another one.</p> : null}
      <TextField label="This service needs a service token" type="password" value={token} onInput={setToken} />
      <button type="submit">Use the token</button>
      <p class="hint">It is kept until you close this tab. The operator sets it in PRECIS_TOKENS.</p>
    </Form>
  )
}

/** The tokens of the bars: numbers that are easy to compare. */
const [WHOLE, KEPT, SUMMARY] = [100_000, 20_000, 6000]

/** The explanation of a compaction for someone who has never seen one. */
function Intro() {
  const kept = { name: 'newest entries, word for word', region: 'kept', tokens: KEPT }
  return (
    <section class="intro" aria-label="What a compaction is">
      <p>
        A coding agent sends its whole conversation to its model, again and again, until it no longer fits into the
        model’s context window. A <em>compaction</em> then replaces the older entries with a summary. What the summary
        does not say, the agent no longer knows.
      </p>
      <Bar
        name="For example, before"
        whole={WHOLE}
        parts={[{ name: 'older entries', region: 'summarized', tokens: WHOLE - KEPT }, kept]}
      />
      <Bar
        name="After a compaction"
        whole={WHOLE}
        parts={[{ name: 'summary', region: 'summary', tokens: SUMMARY }, kept]}
      />
      <ol class="steps">
        <li>
          <strong>Open</strong> a session: you see which entries are replaced, and which stay.
        </li>
        <li>
          <strong>Compact</strong> it: each path, command and quote of the summary leads to the entry where it stands.
        </li>
        <li>
          <strong>Correct</strong> the summary, compare it with another one, and save it for your agent.
        </li>
      </ol>
    </section>
  )
}

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
