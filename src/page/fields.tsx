import type { ComponentChildren } from 'preact'

interface FormProps {
  class: string
  /** Its name for screen readers. */
  name: string
  onSubmit: () => void
  children: ComponentChildren
}

/** A form that does not leave the page. */
export const Form = ({ class: look, name, onSubmit, children }: FormProps) => (
  <form
    class={look}
    aria-label={name}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)

interface TextFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'search' | 'number' | 'password'
  min?: number
  maxLength?: number
  id?: string
  placeholder?: string
  spellcheck?: false
  'aria-keyshortcuts'?: string
}

/** A labelled line of text. */
export function TextField({ label, onInput, ...input }: TextFieldProps) {
  return (
    <label class="field">
      {label}
      <input {...(input as object)} autocomplete="off" onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  )
}

interface SelectFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly (readonly [value: string, name: string])[]
}

/** A labelled choice. */
export function SelectField({ label, value, onChange, options }: SelectFieldProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface CheckFieldProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  class?: string
}

/** A labelled box. */
export function CheckField({ label, checked, onChange, class: name = 'check' }: CheckFieldProps) {
  return (
    <label class={name}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
