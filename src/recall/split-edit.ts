import { cutTogether, type ChangedTexts } from './cut-together.ts'
import type { EditChange } from './edit-changes.ts'

/** A part of a long edit: some of its changes, or a part of a long change, with the old and the new text that belong together. */
interface EditPart {
  /** Which changes of the edit they are: `edits 2 to 4 of 9`, `edit 5 of 9, part 1 of 2`; empty if it has only this one. */
  name: string
  text: string
  /** Where the text has the old and the new lines. */
  changes: EditChange[]
  /** How many characters of the same changes are in the parts before and after it. */
  before: number
  after: number
}

/** Changes that share a part are together at most so long: that is a screen. */
const PART_CHARACTERS = 1400

/** Returns a text of an edit without what it replaces and by what. */
export function withoutChanges(text: string, changes: readonly EditChange[]): string {
  const ranges = changes.flatMap((change) => [change.old, change.new]).sort((a, b) => a.start - b.start)
  const kept: string[] = []
  let from = 0
  for (const { start, end } of ranges) {
    if (end === start) continue
    kept.push(text.slice(from, start), '…')
    from = end
  }
  return [...kept, text.slice(from)].join('')
}

/** Returns the parts of an edit that is too long for one passage. */
export function splitEdit(text: string, changes: readonly EditChange[]): EditPart[] {
  const all = changes.map((change) => ({
    old: text.slice(change.old.start, change.old.end),
    new: text.slice(change.new.start, change.new.end),
  }))
  return groupShort(all).flatMap((group) => {
    const [first, last] = [group[0]?.number ?? 1, group.at(-1)?.number ?? 1]
    const numbers = first === last ? `edit ${first}` : `edits ${first} to ${last}`
    const name = all.length === 1 ? '' : `${numbers} of ${all.length}`
    const [only] = group
    return group.length === 1 && only !== undefined ? splitChange(only, name) : [writePart(group, { name })]
  })
}

interface Numbered extends ChangedTexts {
  number: number
}

/** Returns changes in their order, short neighbours together. */
function groupShort(changes: readonly ChangedTexts[]): Numbered[][] {
  const groups: Numbered[][] = []
  let room = 0
  for (const [at, change] of changes.entries()) {
    const length = change.old.length + change.new.length
    const group = groups.at(-1)
    if (group !== undefined && length <= room) group.push({ ...change, number: at + 1 })
    else {
      groups.push([{ ...change, number: at + 1 }])
      room = PART_CHARACTERS
    }
    room -= length
  }
  return groups
}

function splitChange(change: Numbered, name: string): EditPart[] {
  const pieces = cutTogether(change)
  const lengths = pieces.map((piece) => piece.old.length + piece.new.length)
  let [before, after] = [0, lengths.reduce((sum, length) => sum + length, 0)]
  return pieces.map((piece, at) => {
    const part = pieces.length === 1 ? '' : `part ${at + 1} of ${pieces.length}`
    const named = [name, part].filter(Boolean).join(', ')
    after -= lengths[at] ?? 0
    const written = writePart([{ ...piece, number: change.number }], { name: named, before, after })
    before += lengths[at] ?? 0
    return written
  })
}

function writePart(
  group: readonly Numbered[],
  { name, before = 0, after = 0 }: Pick<EditPart, 'name'> & Partial<EditPart>,
): EditPart {
  const changes: EditChange[] = []
  let text = ''
  const write = (label: string, value: string): EditChange['old'] => {
    text += `${text === '' ? '' : '\n'}${label}:\n${value}`
    return { start: text.length - value.length, end: text.length }
  }
  for (const one of group) {
    const which = group.length === 1 ? '' : ` of edit ${one.number}`
    changes.push({ old: write(`old text${which}`, one.old), new: write(`new text${which}`, one.new) })
  }
  return { name, text, changes, before, after }
}
