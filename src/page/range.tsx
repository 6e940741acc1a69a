import { useId } from 'preact/hooks'
import { count } from '../text/numbers.ts'
import type { PageSettings, SettingChanges } from './use-session.ts'

/** A setting with a slider. */
export interface Control extends Record<'min' | 'max' | 'step', number> {
  name: keyof PageSettings
  label: string
  /** The value that counts where none is set, if there is one. */
  fallback?: number
  /** The text in its place where it is no number. */
  unset?: string
  /** The position of the control without a value. */
  start: number
}

interface RangeProps {
  control: Control
  value: number | undefined
  onChange: (changes: SettingChanges, isFinal: boolean) => void
}

/** The slider of a setting, with its value in words, and a button that takes the value back. */
export function Range({ control, value, onChange }: RangeProps) {
  const { name, label, fallback, unset: unsetWords = '', start, ...range } = control
  const id = useId()
  const unset = fallback === undefined ? unsetWords : `default: ${count(fallback)}`
  const shown = value === undefined ? unset : count(value)
  return (
    <div class={value === undefined ? 'range is-unset' : 'range'}>
      <label for={id}>{label}</label>
      <input
        type="range"
        id={id}
        {...range}
        value={value ?? fallback ?? start}
        aria-valuetext={shown}
        onInput={(event) => onChange({ [name]: event.currentTarget.valueAsNumber }, false)}
        onChange={(event) => onChange({ [name]: event.currentTarget.valueAsNumber }, true)}
      />
      <NumberField {...{ control, value, onChange }} placeholder={unset} />
      {value === undefined || value === fallback ? null : (
        <button
          type="button"
          class="reset"
          aria-label={`Reset: ${label}`}
          onClick={() => onChange({ [name]: undefined }, true)}
        >
          Reset
        </button>
      )}
    </div>
  )
}

/** The value of a setting as a number that can be typed. */
function NumberField({
  control: { name, label, min, max },
  value,
  onChange,
  placeholder,
}: RangeProps & { placeholder: string }) {
  return (
    <input
      type="number"
      aria-label={`${label}: number`}
      {...{ min, max, placeholder }}
      step="any"
      value={value ?? ''}
      onChange={(event) => {
        const { value: typed, valueAsNumber, validity } = event.currentTarget
        if (validity.valid) onChange({ [name]: typed === '' ? undefined : Math.round(valueAsNumber) }, true)
        else event.currentTarget.reportValidity()
      }}
    />
  )
}
