import { useEffect, useState } from 'preact/hooks'
import { addLine } from './add-line.ts'

export interface Correction {
  text: string
  /** Whether it differs from the summary. */
  isEdited: boolean
  setText: (text: string) => void
  /** Adds a text that the summary does not have. */
  add: (text: string) => void
}

/** Returns the correction of a summary; a new summary replaces it. */
export function useCorrection(summary = ''): Correction {
  const [text, setText] = useState(summary)
  useEffect(() => setText(summary), [summary])
  return {
    ...{ text, setText, isEdited: text !== summary },
    add: (added: string): void => setText((before) => addLine(before, added)),
  }
}
