import type { PlannedPrompt } from '../schemas/planned-prompt.ts'
import { counted } from '../text/numbers.ts'

/** Returns what the prompts leave out of the entries, in words: it reads the notes that replace what was left out. */
export function describeLeftOut(prompts: readonly PlannedPrompt[]): string {
  const parts = [
    describe(
      find(prompts, 'cut'),
      (places, characters) => `${counted(characters, 'character')} of long texts, in ${places}`,
    ),
    describe(find(prompts, 'folded'), (places) => `older answers, calls and outputs, in ${places}`),
    describe(find(prompts, 'replaced'), (places) => `secrets, in ${places}`),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'nothing' : parts.join('; ')
}

interface LeftOut {
  places: number
  characters: number
}

function find(prompts: readonly PlannedPrompt[], kind: PlannedPrompt['marks'][number]['kind']): LeftOut {
  const notes = prompts.flatMap(({ prompt, marks }) =>
    marks.filter((mark) => mark.kind === kind).map(({ start, end }) => prompt.slice(start, end)),
  )
  const characters = notes.map((note) => Number(/(?<!\d)(\d+) characters/.exec(note)?.[1] ?? 0))
  return { places: notes.length, characters: characters.reduce((sum, one) => sum + one, 0) }
}

const describe = (
  { places, characters }: LeftOut,
  write: (places: string, characters: number) => string,
): string | undefined => (places === 0 ? undefined : write(counted(places, 'place'), characters))
