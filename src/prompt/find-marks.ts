import type { PlannedPrompt } from '../schemas/planned-prompt.ts'

type Mark = PlannedPrompt['marks'][number]

/** The notes with which code replaces text: `gapNote`, `leftOutNote`, `elideBlobs`, `outputPiece` and the redaction. */
const NOTES =
  /(?<cut>\[\.\.\. \d{1,12} characters left out \.\.\.\]|\[(?:base64|minified line), \d{1,12} characters\])|(?<folded>\(\d{1,9} answers, tool calls and outputs of this transcript were left out, mostly old ones; all requests are here\)|\(the same output as of a newer call below: \d{1,12} characters\))|(?<replaced>\[redacted:[a-z0-9-]{1,40}\])/g

/** Returns the places in a prompt where something was cut, folded or replaced. */
export const findMarks = (prompt: string): Mark[] =>
  Array.from(prompt.matchAll(NOTES), ({ 0: text, index: start, groups }) => {
    const kind = groups?.['cut'] !== undefined ? 'cut' : groups?.['folded'] !== undefined ? 'folded' : 'replaced'
    return { start, end: start + text.length, kind }
  })
