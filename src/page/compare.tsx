import { useMemo, useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { RunningView, type ResultContext } from './compact-panel.tsx'
import { SelectField, TextField } from './fields.tsx'
import { count, counted } from './numbers.ts'
import { SummaryText } from './summary-text.tsx'
import type { Compaction, CompactionOptions } from './use-compactions.ts'

interface CompareProps extends Pick<ResultContext, 'session' | 'compactions' | 'onFact'> {
  candidates: readonly string[]
}

/** Compares the result with that of another candidate, another budget or other instructions. */
export function Compare({ session, compactions, onFact, candidates }: CompareProps) {
  const { results, progress, run, stop } = compactions
  const [first, second] = results
  if (first === undefined) return <p>Compact the session first. Then you can compare the result with another one.</p>
  return (
    <>
      <VariantForm
        candidates={candidates}
        settings={session.settings}
        isBusy={progress !== undefined}
        onRun={(options) => void run(session.document, options, 1)}
      />
      {progress === undefined ? null : <RunningView progress={progress} onStop={stop} />}
      {second === undefined ? null : <SideBySide first={first} second={second} onFact={onFact} />}
    </>
  )
}

interface VariantFormProps {
  candidates: readonly string[]
  settings: CompactionOptions['settings']
  isBusy: boolean
  onRun: (options: CompactionOptions) => void
}

function VariantForm({ candidates, settings, isBusy, onRun }: VariantFormProps) {
  const [candidate, setCandidate] = useState('embedded')
  const [budget, setBudget] = useState('')
  const [instructions, setInstructions] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    onRun({
      candidate,
      settings: { ...settings, ...(budget !== '' && { transcriptTokens: Number(budget) }) },
      ...(instructions.trim() !== '' && { customInstructions: instructions }),
    })
  }
  return (
    <form class="compact" aria-label="Compare" onSubmit={submit}>
      <SelectField
        label="Written by"
        value={candidate}
        onChange={setCandidate}
        options={[...candidates.map((one) => [one, one] as const), ['embedded', 'the embedded summarizer']]}
      />
      <TextField label="Budget in tokens (optional)" type="number" min={1000} value={budget} onInput={setBudget} />
      <TextField
        label="What the other summary should look after (optional)"
        value={instructions}
        onInput={setInstructions}
      />
      <button type="submit" class="primary" disabled={isBusy}>
        Compare
      </button>
    </form>
  )
}

interface SideBySideProps extends Pick<CompareProps, 'onFact'> {
  first: Compaction
  second: Compaction
}

function SideBySide({ first, second, onFact }: SideBySideProps) {
  const own = useMemo(() => [onlyIn(first, second), onlyIn(second, first)] as const, [first, second])
  return (
    <div class="columns">
      <ResultColumn name="First result" result={first} own={own[0]} onFact={onFact} />
      <ResultColumn name="Second result" result={second} own={own[1]} onFact={onFact} />
    </div>
  )
}

interface ResultColumnProps {
  name: string
  result: Compaction
  own: ReadonlySet<string>
  onFact: (fact: Fact) => void
}

function ResultColumn({ name, result: { reply, options }, own, onFact }: ResultColumnProps) {
  const { model, durationMs, calls } = reply.report
  const budget = options.settings['transcriptTokens']
  return (
    <article aria-label={name}>
      <h3>{name}</h3>
      <p>
        {`${model}, ${counted(calls, 'model call')}, ${count(durationMs)} ms, ${counted(reply.tokensAfter ?? 0, 'token')} afterwards`}
        {budget === undefined ? '. ' : `, budget ${count(budget)}. `}
        <span class="fact is-own">{`${counted(own.size, 'fact')} only here`}</span>
      </p>
      <SummaryText summary={reply.summary} facts={reply.provenance?.facts ?? []} onFact={onFact} own={own} />
    </article>
  )
}

/** Returns the facts that only one of two results has. */
function onlyIn({ reply }: Compaction, { reply: other }: Compaction): ReadonlySet<string> {
  const others = new Set(other.provenance?.facts.map(({ text }) => text))
  const facts = reply.provenance?.facts.map(({ text }) => text) ?? []
  return new Set(facts.filter((text) => !others.has(text) && !other.summary.includes(text)))
}
