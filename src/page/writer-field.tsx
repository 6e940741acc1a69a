import { SelectField } from './fields.tsx'

interface WriterFieldProps {
  label: string
  /** The models that can write a summary. */
  candidates: readonly string[]
  candidate: string
  setCandidate: (candidate: string) => void
}

/** The choice of what writes a summary; nothing if there is no other than the embedded summarizer. */
export function WriterField({ label, candidates, candidate, setCandidate }: WriterFieldProps) {
  if (candidates.length === 0) return null
  return (
    <SelectField
      label={label}
      value={candidate}
      onChange={setCandidate}
      options={[...candidates.map((one) => [one, one] as const), ['embedded', 'the embedded summarizer']]}
    />
  )
}
