import { fieldsOf, isObject } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'

interface Range {
  start: number
  end: number
}

/** Where a text says what an edit has replaced, and by what. */
export interface EditChange {
  old: Range
  new: Range
}

/** The names of the arguments of editing tools, by agent: Claude Code and Gemini CLI, opencode, pi, Cline, text editors of APIs. */
const PAIRS = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
  ['old_str', 'new_str'],
] as const

type Argument = readonly [name: string, value: unknown]

/** Returns the arguments of a call; those of each edit of a list of edits by themselves. */
export function argumentsOf(call: ToolCallBlock): Argument[] {
  return Object.entries(fieldsOf(call.arguments)).flatMap(([name, value]): Argument[] =>
    Array.isArray(value) && value.every(isEdit)
      ? value.flatMap((edit, at) =>
          Object.entries(edit).map(([field, one]) => [`${name}[${at}].${field}`, one] as const),
        )
      : [[name, value]],
  )
}

const isEdit = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && PAIRS.some((names) => names.every((name) => typeof value[name] === 'string'))

/** Returns the changes that a text has, whose lines begin with the names of arguments. */
export function findChanges(text: string, given: readonly Argument[]): EditChange[] {
  const ranges = new Map<string, Range>()
  const blocks: EditChange[] = []
  let from = 0
  for (const [name, value] of given) {
    if (typeof value !== 'string') continue
    const line = `\n${name}: ${value}`
    const at = text.indexOf(line, from)
    if (at < 0) continue
    from = at + line.length
    ranges.set(name, { start: from - value.length, end: from })
    if (name === BLOCKS_ARGUMENT) blocks.push(...findBlocks(value, from - value.length))
  }
  const pairs = [...ranges].flatMap(([name, old]) => {
    const [, prefix = '', field] = /^(.*\.)?([^.]*)$/s.exec(name) ?? []
    const [, other] = PAIRS.find(([first]) => first === field) ?? []
    const found = other === undefined ? undefined : ranges.get(prefix + other)
    return found === undefined ? [] : [{ old, new: found }]
  })
  return [...pairs, ...blocks]
}

/** The argument in which `replace_in_file` of Cline and `apply_diff` of Roo have blocks of old and new text. */
const BLOCKS_ARGUMENT = 'diff'

/** The lines around the texts of a block: those of Cline, and those of a conflict in git, which Roo and older versions of Cline write. */
const BLOCK_LINES = {
  old: /^(?:-{3,}|<{3,}) ?SEARCH>?\s*$/,
  new: /^={3,}\s*$/,
  end: /^(?:\+{3,}|>{3,}) ?REPLACE>?\s*$/,
}

/** Returns the changes of blocks of SEARCH and REPLACE. @param offset where the text begins in another one */
function findBlocks(text: string, offset: number): EditChange[] {
  const changes: EditChange[] = []
  let [oldStart, newStart] = [-1, -1]
  let oldEnd = -1
  let start = 0
  for (const line of text.split('\n')) {
    const [before, next] = [offset + start, offset + start + line.length + 1]
    if (BLOCK_LINES.old.test(line)) [oldStart, newStart] = [next, -1]
    else if (oldStart >= 0 && newStart < 0 && BLOCK_LINES.new.test(line)) [oldEnd, newStart] = [before, next]
    else if (newStart >= 0 && BLOCK_LINES.end.test(line)) {
      changes.push({ old: rangeOfLines(oldStart, oldEnd), new: rangeOfLines(newStart, before) })
      ;[oldStart, newStart] = [-1, -1]
    }
    start += line.length + 1
  }
  return changes
}

/** Returns the range of lines without the end of the last one. */
const rangeOfLines = (start: number, next: number): Range => ({ start, end: Math.max(start, next - 1) })

/** Returns the places in a text of an edit that say what became of the line at a place, or what it was before. */
export function placesBeside(text: string, changes: readonly EditChange[], place: number): number[] {
  const change = changes.find((one) => isIn(place, one.old) || isIn(place, one.new)) ?? changes[0]
  if (change === undefined) return []
  const differing = differingLines(text, change)
  const [own, other] = isIn(place, change.old) ? [differing.old, differing.new] : [differing.new, differing.old]
  return isIn(place, own) ? [sameLine(text, place, { own, other })] : [differing.new.start, differing.old.start]
}

const isIn = (place: number, { start, end }: Range): boolean => place >= start && place <= end

/** Returns a change without the lines that the old and the new text begin and end with. */
function differingLines(text: string, change: EditChange): EditChange {
  const [old, now] = [text.slice(change.old.start, change.old.end), text.slice(change.new.start, change.new.end)]
  const shorter = Math.min(old.length, now.length)
  let first = 0
  while (first < shorter && old[first] === now[first]) first += 1
  while (first > 0 && old[first - 1] !== '\n') first -= 1
  let same = 0
  while (same < shorter - first && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1
  while (same > 0 && old[old.length - same] !== '\n') same -= 1
  return {
    old: { start: change.old.start + first, end: change.old.end - same },
    new: { start: change.new.start + first, end: change.new.end - same },
  }
}

/** Returns where the other one of two texts has the line of a place: by its number, or else below the same line above. */
function sameLine(text: string, place: number, { own, other }: { own: Range; other: Range }): number {
  const [ownLines, otherLines] = [own, other].map(({ start, end }) => text.slice(start, end).split('\n'))
  const number = text.slice(own.start, place).split('\n').length - 1
  const above = otherLines?.length === ownLines?.length ? number : lineBelow(otherLines, ownLines?.slice(0, number))
  return (otherLines ?? []).slice(0, above).reduce((at, line) => at + line.length + 1, other.start)
}

/** Returns the number of the line after the nearest of some lines. */
function lineBelow(lines: readonly string[] = [], above: readonly string[] = []): number {
  const numbers = new Map(lines.map((line, at) => [line, at]))
  const nearest = above.findLast((line) => line.trim() !== '' && numbers.has(line)) ?? ''
  return (numbers.get(nearest) ?? -1) + 1
}
