import { useEffect, useState } from 'preact/hooks'
import type { PlannedPrompt, PlanReply } from '../schemas/plan.ts'
import { send } from './service.ts'
import { writeRequest } from './session-document.ts'
import { count, counted } from './numbers.ts'
import type { OpenSession } from './use-session.ts'

export type PromptsReply = Pick<PlanReply, 'prompts' | 'previousSummary' | 'promptTokens' | 'windows'>

/** Returns the prompts of a session as they would be sent; undefined while they are not there. */
export function usePrompts(
  session: Pick<OpenSession, 'document' | 'settings'> | undefined,
  { isWanted, onProblem }: { isWanted: boolean; onProblem: (problem: unknown) => void },
): PromptsReply | undefined {
  const [reply, setReply] = useState<PromptsReply>()
  const { document, settings } = session ?? {}
  useEffect(() => {
    setReply(undefined)
    if (document === undefined || settings === undefined || !isWanted) return
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      const { query, body, contentType } = await writeRequest(document, { settings })
      query.set('include', 'prompts')
      const response = await send('compaction/plan', { query, body, contentType, signal: controller.signal })
      setReply((await response.json()) as PromptsReply)
    }
    load().catch((error: unknown) => {
      if (!controller.signal.aborted) onProblem(error)
    })
    return () => {
      controller.abort()
    }
  }, [document, settings, isWanted])
  return reply
}

const NAMES: Readonly<Record<PlannedPrompt['segment'], string>> = {
  history: 'Prompt for the older messages',
  'turn-prefix': 'Prompt for the beginning of the split turn',
}

const KINDS: Readonly<Record<PlannedPrompt['marks'][number]['kind'], string>> = {
  cut: 'cut',
  folded: 'folded',
  replaced: 'replaced secret',
}

/** What the model will read. */
export function Prompts({ reply }: { reply: PromptsReply | undefined }) {
  if (reply === undefined) return <p role="status">Reading the session …</p>
  const { prompts = [], promptTokens, windows } = reply
  if (prompts.length === 0) return <p>There is nothing to compact, so no model would be called.</p>
  return (
    <>
      <p>
        {`A compaction sends ${counted(promptTokens, 'token')} to the model, in ${counted(windows, 'call')}. `}
        With the embedded summarizer, nothing is sent: code picks the sentences.
      </p>
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
  const kinds = Object.entries(KINDS).map(
    ([kind, name]) => `${count(marks.filter((mark) => mark.kind === kind).length)} ${name}`,
  )
  return (
    <section>
      <h3>{NAMES[segment]}</h3>
      <p>{`${counted(tokens, 'token')}; the answer may have ${count(maxTokens)}. Marked places: ${kinds.join(', ')}.`}</p>
      <details>
        <summary>System prompt</summary>
        <pre tabIndex={0} aria-label="System prompt">
          {systemPrompt}
        </pre>
      </details>
      <pre tabIndex={0} class="prompt" aria-label={NAMES[segment]}>
        <MarkedText text={prompt} marks={marks} />
      </pre>
    </section>
  )
}

function MarkedText({ text, marks }: { text: string; marks: PlannedPrompt['marks'] }) {
  return (
    <>
      {marks.map(({ start, end, kind }, index) => (
        <>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark key={start} class={`mark-${kind}`} title={KINDS[kind]}>
            {text.slice(start, end)}
          </mark>
        </>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  )
}
