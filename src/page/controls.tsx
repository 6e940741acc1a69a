import { useId } from 'preact/hooks'
import { count } from './numbers.ts'
import { DEFAULT_KEEP_TOKENS, type OpenSession, type Settings } from './use-session.ts'

interface ControlsProps {
  session: OpenSession
  onChange: (changes: Settings, isFinal: boolean) => void
}

interface Control extends Record<'start' | 'min' | 'max' | 'step', number> {
  name: keyof Settings
  label: string
  /** What is shown where the setting has no value. */
  unset: string
}

const CONTROLS: readonly Control[] = [
  {
    name: 'contextWindow',
    label: 'Context window of the agent’s model, in tokens',
    unset: 'not set',
    ...{ start: 200_000, min: 8000, max: 1_000_000, step: 1000 },
  },
  {
    name: 'thresholdPercent',
    label: 'Compact above this share of the window, in percent',
    unset: 'not set',
    ...{ start: 85, min: 1, max: 99, step: 1 },
  },
  {
    name: 'transcriptTokens',
    label: 'Budget: tokens that the summary is written from',
    unset: 'default',
    ...{ start: 40_000, min: 1000, max: 200_000, step: 1000 },
  },
]

/** The settings whose effect the strip shows. */
export function Controls({ session: { settings, plan }, onChange }: ControlsProps) {
  const max = Math.max(plan.tokensBefore, DEFAULT_KEEP_TOKENS)
  const keep: Control = {
    name: 'keepRecentTokens',
    label: 'Newest tokens that stay word for word',
    unset: count(DEFAULT_KEEP_TOKENS),
    ...{ start: DEFAULT_KEEP_TOKENS, min: 0, max, step: stepOf(max) },
  }
  return (
    <form
      class="controls"
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      {[keep, ...CONTROLS].map((control) => (
        <Range key={control.name} control={control} value={settings[control.name]} onChange={onChange} />
      ))}
    </form>
  )
}

/** Returns a step with which a range has some hundred places. */
const stepOf = (most: number): number => Math.max(10, 10 ** Math.floor(Math.log10(most / 100)))

interface RangeProps extends Pick<ControlsProps, 'onChange'> {
  control: Control
  value: number | undefined
}

function Range({ control: { name, label, unset, start, ...range }, value, onChange }: RangeProps) {
  const id = useId()
  const shown = value === undefined ? unset : count(value)
  return (
    <div class="range">
      <label for={id}>{label}</label>
      <input
        type="range"
        id={id}
        {...range}
        value={value ?? start}
        aria-valuetext={shown}
        onInput={(event) => {
          onChange({ [name]: event.currentTarget.valueAsNumber }, false)
        }}
        onChange={(event) => {
          onChange({ [name]: event.currentTarget.valueAsNumber }, true)
        }}
      />
      <output for={id}>{shown}</output>
    </div>
  )
}
