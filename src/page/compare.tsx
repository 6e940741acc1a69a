import { useMemo, useState } from 'preact/hooks'
import { count, counted } from '../text/numbers.ts'
import { DiffView } from './diff-view.tsx'
import { Form, TextField } from './fields.tsx'
import { summaryTokensOf } from './outcome.tsx'
import { describeWriting } from './picture.tsx'
import type { ResultContext } from './result-view.tsx'
import { RunningView } from './running-view.tsx'
import { SummaryColumn } from './summary-text.tsx'
import type { Compaction, CompactionOptions } from './use-compactions.ts'
import { useScrollToNew } from './use-scroll-to-new.ts'
import { WriterField } from './writer-field.tsx'

interface CompareProps extends Pick<ResultContext, 'session' | 'compactions' | 'onFact' | 'source'> {
  candidates: readonly string[]
}

/** Compares the result with that of another candidate, another budget or other instructions. */
export function Compare({ session, compactions, onFact, source, candidates }: CompareProps) {
  const { results, progress, run, stop } = compactions
  const [first, second] = results
  const top = useScrollToNew(second)
  if (first === undefined)
    return (
      <p>
        Here you write a second version of the summary, by another model, with another budget or other instructions, and
        compare both. “Compact” writes the first one.
      </p>
    )
  return (
    <>
      <VariantForm
        candidates={candidates}
        first={first}
        isBusy={progress !== undefined}
        onRun={(options) => void run({ ...session, ...first }, options, 1)}
      />
      <RunningView progress={progress} onStop={stop} />
      <div ref={top}>{second === undefined ? null : <SideBySide {...{ first, second, onFact, source }} />}</div>
    </>
  )
}

interface VariantFormProps {
  candidates: readonly string[]
  first: Compaction
  isBusy: boolean
  onRun: (options: CompactionOptions) => void
}

function VariantForm({ candidates, first, isBusy, onRun }: VariantFormProps) {
  const { settings } = first.options
  // Another writer than that of the first result.
  const [candidate, setCandidate] = useState(candidates.find((one) => one !== first.reply.report.model) ?? 'embedded')
  const [budget, setBudget] = useState('')
  const [instructions, setInstructions] = useState('')
  // Code writes the same again. A model does not.
  const isSame =
    candidate === 'embedded' &&
    first.reply.report.model === 'embedded' &&
    budget === '' &&
    instructions.trim() === (first.options.customInstructions ?? '').trim()
  const submit = (): void =>
    onRun({
      candidate,
      settings: { ...settings, ...(budget !== '' && { transcriptTokens: Number(budget) }) },
      ...(instructions.trim() !== '' && { customInstructions: instructions }),
    })
  return (
    <Form class="compact" name="Another version" onSubmit={submit}>
      <p>Write a second summary of the same entries, with something changed:</p>
      <div class="row-of-fields">
        <WriterField label="Written by" {...{ candidates, candidate, setCandidate }} />
        <TextField label="Budget in tokens (optional)" type="number" min={1000} value={budget} onInput={setBudget} />
        <TextField
          label="What the other summary should pay attention to (optional)"
          value={instructions}
          onInput={setInstructions}
        />
        <button type="submit" class="primary" disabled={isBusy || isSame}>
          Write it
        </button>
      </div>
      {candidate === 'embedded' ? <EmbeddedHint /> : null}
    </Form>
  )
}

const EmbeddedHint = () => (
  <p class="hint">
    The embedded summarizer reads everything and writes the same text each time. A budget limits its length, and what
    has words of the attention comes first.
  </p>
)

interface SideBySideProps extends Pick<CompareProps, 'onFact' | 'source'> {
  first: Compaction
  second: Compaction
}

function SideBySide({ onFact, source, ...results }: SideBySideProps) {
  const { first, second } = results
  const facts = useMemo(() => compareVersions(first, second), [first, second])
  const isSame = first.reply.summary === second.reply.summary
  return (
    <>
      <p class="notice" role="status">
        {isSame
          ? 'Both summaries are the same, word for word.'
          : 'Highlighted: the paths, commands and quotes that only one of the two summaries has.'}
      </p>
      {isSame ? null : (
        <DiffView name="From the first to the second" before={first.reply.summary} after={second.reply.summary} />
      )}
      <div class="columns">
        {(['first', 'second'] as const).map((one) => (
          <SummaryColumn
            key={one}
            name={one === 'first' ? 'First result' : 'Second result'}
            written={results[one].reply}
            {...{ own: facts[one], onFact }}
          >
            <p>{describeVersion(results[one])}</p>
            <p>
              <span class="is-own">{`${counted(facts[one].size, 'fact')} only here`}</span>
              {`, ${count(facts.both)} in both`}
            </p>
          </SummaryColumn>
        ))}
      </div>
      {source}
    </>
  )
}

/** Returns what a version was made of, in words. */
function describeVersion(result: Compaction): string {
  const { settings, customInstructions: attention } = result.options
  const budget = settings['transcriptTokens']
  return [
    `${describeWriting(result.reply.report)} The summary has ${counted(summaryTokensOf(result), 'token')}.`,
    ...(budget === undefined ? [] : [`Budget: ${count(budget)}.`]),
    ...(attention === undefined ? [] : [`Attention to: ${attention}.`]),
  ].join(' ')
}

/** Returns the facts that only one of two results has, and how many both have: a summary has what is anywhere in its text. */
function compareVersions({ reply: first }: Compaction, { reply: second }: Compaction) {
  const facts = [
    ...new Set([first, second].flatMap(({ provenance }) => provenance?.facts.map(({ text }) => text) ?? [])),
  ]
  const isIn = ({ summary, provenance }: Compaction['reply'], text: string): boolean =>
    summary.includes(text) || provenance?.facts.some((one) => one.text === text) === true
  const onlyIn = (one: Compaction['reply'], other: Compaction['reply']): Set<string> =>
    new Set(facts.filter((text) => isIn(one, text) && !isIn(other, text)))
  const only = { first: onlyIn(first, second), second: onlyIn(second, first) }
  return { ...only, both: facts.length - only.first.size - only.second.size }
}
