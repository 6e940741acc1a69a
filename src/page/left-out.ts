import type { PlannedPrompt } from '../schemas/planned-prompt.ts'
import { counted } from '../text/numbers.ts'

/** Returns what the prompts leave out of the entries, in words: it reads the notes that replace what was left out. */
export function describeLeftOut(prompts: readonly PlannedPrompt[]): string {
  const notesOf = (kind: PlannedPrompt['marks'][number]['kind']): string[] =>
    prompts.flatMap(({ prompt, marks }) =>
      marks.filter((mark) => mark.kind === kind).map(({ start, end }) => prompt.slice(start, end)),
    )
  const cut = notesOf('cut')
  const characters = cut.reduce((sum, note) => sum + Number(/(?<!\d)(\d+) characters/.exec(note)?.[1] ?? 0), 0)
  const parts = [
    [`${counted(characters, 'character')} of long texts`, cut],
    ['older answers, calls and outputs', notesOf('folded')],
    ['secrets', notesOf('replaced')],
  ] as const
  const some = parts.filter(([, notes]) => notes.length > 0)
  return some.map(([what, notes]) => `${what}, in ${counted(notes.length, 'place')}`).join('; ') || 'nothing'
}
