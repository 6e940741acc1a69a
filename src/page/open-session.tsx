import { useEffect, useRef, useState } from 'preact/hooks'
import exampleUrl from '../../examples/session.jsonl?url&no-inline'
import { Form } from './fields.tsx'
import { PASTED } from './no-session.ts'

interface OpenSessionProps {
  /** @param more how many other files were dropped with it: a page shows one session */
  onOpen: (name: string, blob: Blob, more?: number) => void
  isBusy: boolean
  /** Whether the panel is open: once there is a session, it only needs a line. */
  isOpen: boolean
  /** The models that can write a summary; none if only code does. */
  models: readonly string[]
}

/** Opens a session: a file that is dropped or chosen, text that is pasted, or the example. */
export function OpenSession({ onOpen, isBusy, isOpen, models }: OpenSessionProps) {
  const isOver = useDrop((files) => openFile(files, onOpen))
  return (
    <details class={isOver ? 'open is-over' : 'open'} open={isOpen}>
      <summary>{isOpen ? 'Open a session' : 'Open another session'}</summary>
      <div class="ways">
        <div>
          <p>Choose a session file of a coding agent, or drop it anywhere. Or look at the example.</p>
          <Buttons onOpen={onOpen} isBusy={isBusy} />
        </div>
        <PasteField onOpen={onOpen} />
      </div>
      <p class="hint">
        Sessions of Claude Code, Codex, opencode, Gemini CLI, Qwen Code, Cline, pi and oh-my-pi, and messages of the
        usual APIs. {whereItGoes(models)}
      </p>
    </details>
  )
}

function whereItGoes(models: readonly string[]): string {
  if (models.length === 0)
    return 'The session is sent to this service only, which sends it to no model and does not store it.'
  const names = models.length === 1 ? `the model ${models.join('')}` : `one of the models ${models.join(', ')}`
  return (
    'Opening and planning send the session to this service only, which does not store it. ' +
    `Compacting also sends its text to ${names}; only the embedded summarizer needs no model.`
  )
}

/** Receives files that are dropped anywhere on the page: a browser would leave the page for them. */
function useDrop(onDrop: (files: FileList | undefined) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    const listeners = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', then: (event: DragEvent) => void): void => {
      document.addEventListener(
        type,
        (event) => {
          event.preventDefault()
          setOver(type === 'dragover')
          then(event)
        },
        { signal: listeners.signal },
      )
    }
    listen('dragover', () => undefined)
    listen('dragleave', () => undefined)
    listen('drop', (event) => latest.current(event.dataTransfer?.files))
    return () => listeners.abort()
  }, [])
  return isOver
}

function Buttons({ onOpen, isBusy }: Omit<OpenSessionProps, 'isOpen' | 'models'>) {
  return (
    <div class="actions">
      <label class="button">
        Choose a file
        <input
          type="file"
          class="sr"
          disabled={isBusy}
          onChange={(event) => {
            openFile(event.currentTarget.files, onOpen)
            // The same file can be chosen again after it has grown.
            event.currentTarget.value = ''
          }}
        />
      </label>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void openExample(onOpen)}>
        Open the example
      </button>
    </div>
  )
}

function PasteField({ onOpen }: Pick<OpenSessionProps, 'onOpen'>) {
  const [typed, setTyped] = useState('')
  const open = (text: string): void => {
    if (text.trim() !== '') onOpen(PASTED, new Blob([text]))
  }
  return (
    <Form class="paste" name="Paste a session" onSubmit={() => open(typed)}>
      <label class="field">
        Or paste it here
        <textarea
          rows={2}
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onPaste={(event) => {
            // Kept out of the field: a large text makes it slow.
            event.preventDefault()
            open(event.clipboardData?.getData('text') ?? '')
          }}
        />
      </label>
      <button type="submit" disabled={typed.trim() === ''}>
        Open
      </button>
    </Form>
  )
}

function openFile(files: FileList | null | undefined, onOpen: OpenSessionProps['onOpen']): void {
  const [file, ...others] = files ?? []
  if (file !== undefined) onOpen(file.name, file, others.length)
}

async function openExample(onOpen: OpenSessionProps['onOpen']): Promise<void> {
  onOpen('example session', await (await fetch(exampleUrl)).blob())
}
