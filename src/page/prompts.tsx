import { Fragment } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { PlanReply } from '../schemas/plan.ts'
import type { PlannedPrompt } from '../schemas/planned-prompt.ts'
import { count, counted } from '../text/numbers.ts'
import { describeLeftOut } from './left-out.ts'

export type PromptsReply = Pick<PlanReply, 'prompts' | 'previousSummary' | 'promptTokens' | 'windows'>

const NAMES: Readonly<Record<PlannedPrompt['segment'], string>> = {
  history: 'Prompt for the older entries',
  'turn-prefix': 'Prompt for the start of the current request',
}

type Kind = PlannedPrompt['marks'][number]['kind']

/** The meaning of the marks. */
const KINDS: Readonly<Record<Kind, string>> = {
  cut: 'Cut: the middle of a long text is left out',
  folded: 'Folded: older answers, calls and outputs are left out, or shown once further below',
  replaced: 'Replaced: a secret',
}

/** The prompts that the summarizing model reads. */
export function PromptsView({ reply, hasModel }: { reply: PromptsReply | undefined; hasModel: boolean }) {
  if (reply === undefined) return <p role="status">Reading the session …</p>
  const { prompts = [], promptTokens, windows } = reply
  if (prompts.length === 0) return <p>There is nothing to compact, so no model would be called.</p>
  return (
    <>
      <p>
        {hasModel
          ? `A compaction sends ${counted(promptTokens, 'token')} to the model, in ${counted(windows, 'call')}: below, word for word. `
          : `No model is configured: nothing is sent. A model would read: ${counted(promptTokens, 'token')}, below, word for word. `}
        {`Left out: ${describeLeftOut(prompts)}.`}
      </p>
      {hasModel ? null : <p class="hint">The embedded summarizer picks sentences by code.</p>}
      {prompts.map((prompt) => (
        <PromptView key={prompt.segment} prompt={prompt} />
      ))}
    </>
  )
}

function PromptView({
  prompt: { segment, systemPrompt, prompt, tokens, maxTokens, marks },
}: {
  prompt: PlannedPrompt
}) {
  return (
    <section>
      <h3>{NAMES[segment]}</h3>
      <p>{`${counted(tokens, 'token')}; the answer may have ${count(maxTokens)}.`}</p>
      <details>
        <summary>System prompt</summary>
        <pre tabIndex={0} aria-label="System prompt">
          {systemPrompt}
        </pre>
      </details>
      <MarkedPrompt name={NAMES[segment]} text={prompt} marks={marks} />
    </section>
  )
}

interface MarkedPromptProps {
  name: string
  text: string
  marks: PlannedPrompt['marks']
}

/** A prompt whose marked places can be visited one after the other. */
function MarkedPrompt({ name, text, marks }: MarkedPromptProps) {
  const box = useRef<HTMLPreElement>(null)
  const [at, setAt] = useState(-1)
  const showNext = (): void => {
    const next = (at + 1) % marks.length
    setAt(next)
    const mark = box.current?.querySelectorAll('mark')[next]
    if (box.current !== null && mark !== undefined)
      box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3
  }
  return (
    <>
      <ul class="legend" aria-label={`Marks: ${name}`}>
        {Object.entries(KINDS).map(([kind, meaning]) => (
          <MarkItem
            key={kind}
            kind={kind}
            meaning={meaning}
            places={marks.filter((mark) => mark.kind === kind).length}
          />
        ))}
        {marks.length === 0 ? <li>Nothing is cut, folded or replaced in it.</li> : null}
      </ul>
      {marks.length === 0 ? null : (
        <button type="button" onClick={showNext}>
          {at < 0 ? 'Go to the first marked place' : `Next marked place (${at + 1} of ${marks.length})`}
        </button>
      )}
      <pre tabIndex={0} class="prompt" aria-label={name} ref={box}>
        <MarkedText text={text} marks={marks} current={at} />
      </pre>
    </>
  )
}

function MarkItem({ kind, meaning, places }: { kind: string; meaning: string; places: number }) {
  if (places === 0) return null
  return (
    <li>
      <mark class={`mark-${kind}`}>{counted(places, 'place')}</mark> {meaning}
    </li>
  )
}

function MarkedText({ text, marks, current }: Omit<MarkedPromptProps, 'name'> & { current: number }) {
  return (
    <>
      {marks.map(({ start, end, kind }, index) => (
        <Fragment key={start}>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark class={index === current ? `mark-${kind} is-current` : `mark-${kind}`} title={KINDS[kind]}>
            {text.slice(start, end)}
          </mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  )
}
