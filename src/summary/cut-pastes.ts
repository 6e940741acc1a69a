import { namesCause } from '../extract/error-lines.ts'
import { splitPasted } from '../extract/pasted.ts'
import { closeMarks } from '../text/close-marks.ts'
import { firstCharacters, gapNote } from '../text/shorten.ts'

/** A paste of so many lines and characters stays as it is. */
const MAX_LINES = 4
const MAX_CHARACTERS = 400

/** Of a longer one, so many lines stay: they say what was pasted. They are short enough to stay at the next compaction too. */
const KEPT_LINES = 2
const MAX_LINE_CHARACTERS = 110

/** Returns a message with its long pastes cut to their beginning and the line that says what went wrong. */
export const cutPastes = (text: string): string =>
  splitPasted(text)
    .map((block) => (block.isPasted ? cutPaste(block.text) : block.text))
    .join('\n')

function cutPaste(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= MAX_LINES && text.length <= MAX_CHARACTERS) return text
  const head = lines.slice(0, KEPT_LINES)
  const cause = head.some(namesCause) ? undefined : lines.slice(KEPT_LINES).find(isCause)
  const kept = [...head, ...(cause === undefined ? [] : [cause])].map((line) =>
    firstCharacters(line, MAX_LINE_CHARACTERS),
  )
  const left = text.length - kept.join('\n').length
  return closeMarks([...kept, gapNote(left)].join('\n'))
}

const isCause = (line: string): boolean => line.length <= MAX_CHARACTERS && namesCause(line)
