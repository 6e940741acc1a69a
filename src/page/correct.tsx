import { ChecksView } from './checks.tsx'
import { RunningView, type ResultContext } from './compact-panel.tsx'
import { Download } from './download.tsx'

interface CorrectProps extends Pick<ResultContext, 'session' | 'compactions' | 'correction'> {
  replyForms: readonly string[]
  onProblem: (problem: unknown) => void
}

/** Lets a user edit the summary, checks it again, and gives the result in the form that the user needs. */
export function Correct({ session, compactions, correction: { text, setText }, replyForms, onProblem }: CorrectProps) {
  const { results, progress, run, stop } = compactions
  const [result] = results
  const summary = result?.reply.summary ?? ''
  if (result === undefined) return <NothingToCorrect />
  const isChanged = text !== summary
  return (
    <div class="correct">
      <Editor text={text} onInput={setText} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!isChanged || text.trim() === '' || progress !== undefined}
          onClick={() =>
            void run({ ...session, plan: result.plan, entries: result.entries }, { ...result.options, summary: text })
          }
        >
          Check the correction
        </button>
        <p class="hint" role="status">
          {isChanged ? 'The correction is not checked yet.' : 'Edit the text, then check it: no model is called.'}
        </p>
        {progress === undefined ? null : <RunningView progress={progress} onStop={stop} />}
      </div>
      {isChanged ? null : (
        <>
          <ChecksView result={result} />
          <Download {...{ session, result, replyForms, onProblem }} />
        </>
      )}
    </div>
  )
}

function NothingToCorrect() {
  return (
    <p class="hint">
      Compact the session first. Then you can correct the summary here, and save it for your agent or for another one.
    </p>
  )
}

function Editor({ text, onInput }: { text: string; onInput: (text: string) => void }) {
  return (
    <label class="field">
      The summary, as the agent will read it
      <textarea
        value={text}
        spellcheck={false}
        onInput={(event) => {
          onInput(event.currentTarget.value)
        }}
      />
    </label>
  )
}
