import { ChecksView } from './checks.tsx'
import { CompactFirst, RunningView, type ResultContext } from './compact-panel.tsx'
import { Download, type DownloadProps } from './download.tsx'

type CorrectProps = ResultContext & Pick<DownloadProps, 'replyForms'>

/** Lets a user edit the summary, checks it again, and gives the result in the form that the user needs. */
export function Correct(props: CorrectProps) {
  const { session, compactions, correction, replyForms, onProblem } = props
  const { text, setText, isEdited: isChanged } = correction
  const { results, progress, run, stop } = compactions
  const [result] = results
  if (result === undefined)
    return (
      <CompactFirst {...props}>
        Here you correct the summary, and save it for your agent or for another one.
      </CompactFirst>
    )
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
      {isChanged ? null : <ChecksView result={result} />}
      <Download {...{ session, result, replyForms, onProblem }} isUnchecked={isChanged} />
    </div>
  )
}

function Editor({ text, onInput }: { text: string; onInput: (text: string) => void }) {
  return (
    <label class="field">
      The summary, as the agent will read it
      <textarea value={text} spellcheck={false} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  )
}
