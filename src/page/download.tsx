import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { agentName } from '../text/comparison-words.ts'
import { Form, SelectField } from './fields.tsx'
import { hasFaults } from './find-checks.ts'
import { send } from './service.ts'
import { writeRequest } from './session-document.ts'
import type { Compaction } from './use-compactions.ts'
import type { OpenedSession } from './use-session.ts'

interface DownloadProps {
  session: OpenedSession
  result: Compaction
  replyForms: readonly string[]
  onProblem: (problem: unknown) => void
  /** Whether the summary was edited since it was checked. */
  isUnchecked?: boolean
  children?: ComponentChildren
}

const NAMES: Readonly<Record<string, string>> = {
  json: 'Whole reply as JSON',
  text: 'Summary as text',
  native: 'For the agent’s own session file',
  atif: 'A new trajectory (ATIF)',
  chat: 'Messages of OpenAI’s Chat API',
  anthropic: 'Messages of Anthropic’s API',
  responses: 'Items of OpenAI’s Responses API',
}

/** The purpose of each form. */
const GOALS: Readonly<Record<string, string>> = {
  json: 'For programs: all fields of the reply.',
  text: 'For a prompt, or to read.',
  native:
    'Leave the agent first, save, and follow the note that appears here. The command line does all of it: precis compact SESSION --write',
}

/** Formats of sessions that have no native form: vite.config.ts derives them. */
declare const WITHOUT_NATIVE: readonly string[]

/** Returns what the agent of the session needs: its native form, or the text of the summary. */
function defaultForm({ plan: { report }, document }: OpenedSession, forms: readonly string[]): string {
  const isNative = document.kind !== 'own' && !WITHOUT_NATIVE.includes(report?.format ?? '') && forms.includes('native')
  return isNative ? 'native' : 'text'
}

/** Gives the result in another form: as JSON, as text, for the agent's own file, or as a session of another agent. */
export function Download({ session, result, replyForms, onProblem, isUnchecked = false, children }: DownloadProps) {
  const [form, setForm] = useState(() => defaultForm(session, replyForms))
  const [note, setNote] = useState('')
  return (
    <Form
      class="actions"
      name="Save"
      onSubmit={() => {
        fetchForm(form, { session, result }).then(({ blob, name, hint }) => {
          saveFile(blob, name)
          setNote(`${name} is saved. ${hint.replace('FILE', name).replace('SESSION', session.document.name)}`)
        }, onProblem)
      }}
    >
      {isUnchecked ? null : <CopyButton text={result.reply.summary} />}
      {children}
      <SelectField
        label="Take the result"
        value={form}
        onChange={setForm}
        options={replyForms.map((one) => [one, NAMES[one] ?? `A new session of ${agentName(one)}`])}
      />
      <button type="submit" disabled={isUnchecked}>
        Save
      </button>
      <p class="hint">
        {isUnchecked
          ? 'Check the correction first: what is saved is what was checked.'
          : (GOALS[form] ?? 'A new file, for the other agent or program.')}
      </p>
      {hasFaults(result.reply) ? (
        <p class="notice">A check needs your attention: read it before you use the result.</p>
      ) : null}
      <p class="hint" role="status">
        {note}
      </p>
    </Form>
  )
}

/** Copies a text; nothing where a browser does not allow that: without TLS, but on the own machine. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string>()
  // Its type says that it is always there.
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard === undefined) return null
  return (
    <button
      type="button"
      onClick={() => {
        void clipboard.writeText(text).then(() => setCopied(text))
      }}
    >
      {copied === text ? 'Copied' : 'Copy the summary'}
    </button>
  )
}

interface SavedForm {
  blob: Blob
  name: string
  hint: string
}

const HINTS: Readonly<Record<string, string>> = {
  append: 'Append it to the session file: cat "FILE" >> "SESSION"',
  replace: 'Replace the session file with it.',
  sidecar: 'Put it beside the session file.',
}

/** Returns the result in a form. The summary is sent along: no model is called again. */
async function fetchForm(
  form: string,
  { session, result: { options, reply } }: Pick<DownloadProps, 'session' | 'result'>,
): Promise<SavedForm> {
  const { provenance: _provenance, ...others } = reply
  const nameOf = (end: string): string => fileNameOf(session, end)
  if (form === 'json')
    return { blob: new Blob([JSON.stringify(others, null, 2)]), name: nameOf('compaction.json'), hint: '' }
  if (form === 'text') return { blob: new Blob([reply.summary]), name: nameOf('summary.md'), hint: '' }
  const { candidate: _candidate, ...fields } = options
  const { query, body, contentType } = await writeRequest(session.document, { ...fields, summary: reply.summary })
  query.set('reply', form)
  const response = await send('compaction', { query, body, contentType, accept: '*/*' })
  const extension = /json/.test(response.headers.get('content-type') ?? '') ? 'json' : 'txt'
  const isLines = /ndjson/.test(response.headers.get('content-type') ?? '')
  const hint = HINTS[response.headers.get('x-precis-native') ?? ''] ?? ''
  return { blob: await response.blob(), name: nameOf(`${form}.${isLines ? 'jsonl' : extension}`), hint }
}

/** Returns the name of a file that is made of a session. */
export const fileNameOf = ({ document: { name } }: Pick<OpenedSession, 'document'>, end: string): string =>
  `${name.replace(/\.\w+$/, '').replaceAll(' ', '-')}.${end}`

/** Saves a file, as a click on a link does. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
