import { useEffect, useState } from 'preact/hooks'
import { addLine } from './add-line.ts'
import { EDITOR, type useView } from './use-view.ts'

export type Correction = ReturnType<typeof useCorrection>

/** Returns the correction of a summary, and whether it is shown in place of it; a new summary replaces it. */
export function useCorrection(summary = '', { view, go }: ReturnType<typeof useView>) {
  const [text, setText] = useState(summary)
  useEffect(() => setText(summary), [summary])
  return {
    ...{ text, setText, isEdited: text !== summary },
    ...{ view, isOpen: view.tab === EDITOR },
    show: (isOpen: boolean): void => go({ tab: isOpen ? EDITOR : 'compact' }),
    /** Adds a text that the summary does not have. */
    add: (added: string): void => setText((before) => addLine(before, added)),
  }
}
