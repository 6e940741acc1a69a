interface LookUpButtonProps {
  text: string
  /** Looks a text up in the session. */
  onLookUp: (text: string) => void
}

/** Leads from a fact that was lost to the passages of the session that have it. */
export function LookUpButton({ text, onLookUp }: LookUpButtonProps) {
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        onLookUp(text)
      }}
    >
      Look it up
    </button>
  )
}
