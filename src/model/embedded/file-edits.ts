import type { Declaration } from '../../extract/declarations.ts'
import { inlineCode, isGapNote, oneLine, shorten } from '../../text/shorten.ts'

const VERBS = ['edit: added', 'edit: removed', 'content'] as const
type Verb = (typeof VERBS)[number]

export interface Edit {
  /** `content`: the lines are a part of a file that was written as a whole. */
  verb: Verb
  lines: string[]
}

const MAX_EDITS = 8
const MAX_EDIT_LINES = 4
const MAX_EDIT_CHARACTERS = 300

/** Code says more about an edit than the comments above it. */
const COMMENT = /^(?:#|\/\/|\/?\*|<!--|--|""")/

/** Lines without a name, a number or a word say nothing about an edit. */
const SAYS_SOMETHING = /[\p{L}\p{N}]{2}/u

/** Adds an edit to earlier ones, without those lines of theirs that it removes. */
export function addEdit(edits: readonly Edit[], removed: string, added: string): Edit[] {
  const [before, after] = [linesOf(removed), linesOf(added)]
  const plus = differing(after, new Set(before))
  const minus = differing(before, new Set(after))
  const now = new Set(after)
  const gone = new Set(before.filter((line) => !now.has(line)))
  const replace = replacerOf(removed, added)
  const left = edits
    .map(({ verb, lines }) => ({
      verb,
      lines: verb === 'edit: removed' ? lines : lines.filter((line) => !gone.has(line)).map(replace),
    }))
    .filter(({ lines }) => lines.length > 0)
  const edit: Edit = plus.length > 0 ? { verb: 'edit: added', lines: plus } : { verb: 'edit: removed', lines: minus }
  const others = left.filter((one) => writeEdit(one) !== writeEdit(edit))
  return (edit.lines.length === 0 ? others : [...others, edit]).slice(-MAX_EDITS)
}

/** A shorter text may be anywhere. */
const MIN_REPLACED_CHARACTERS = 6

/** Returns a function that replaces in a line what an edit has replaced in parts of lines. */
export function replacerOf(removed: string, added: string): (line: string) => string {
  const [before, after] = [linesOf(removed), linesOf(added)]
  // A declaration of several lines is shown on one.
  const isByLine = before.length === after.length
  const parts = isByLine ? before.map((text, at) => ({ text, by: after[at] ?? '' })) : [onOneLine(removed, added)]
  const pairs = parts.filter(({ text, by }) => text.length >= MIN_REPLACED_CHARACTERS && text !== by)
  return (line) => pairs.reduce((whole, { text, by }) => whole.replace(text, () => by), line)
}

const onOneLine = (removed: string, added: string): { text: string; by: string } => ({
  text: oneLine(removed.slice(0, 1000)),
  by: shorten(oneLine(added.slice(0, 1000)), MAX_EDIT_CHARACTERS),
})

const linesOf = (text: string): string[] => text.split('\n', 2000).map((line) => line.slice(0, 1000).trim())

function differing(lines: readonly string[], others: ReadonlySet<string>): string[] {
  const changed = lines.filter((line) => !others.has(line) && SAYS_SOMETHING.test(line) && !isGapNote(line))
  const code = changed.filter((line) => !COMMENT.test(line))
  return (code.length > 0 ? code : changed).slice(0, MAX_EDIT_LINES)
}

const SEPARATOR = ' | '

/** Returns an edit as one line of a summary. A line that leaves code open, as the beginning of a template does, is code as a whole. */
export function writeEdit({ verb, lines }: Edit): string {
  const shown: string[] = []
  let room = MAX_EDIT_CHARACTERS - verb.length - 2
  for (const line of lines.map(oneLine)) {
    const words = shorten(line, Math.max(room, 1))
    shown.push(words.split('`').length % 2 === 0 ? inlineCode(words) : words)
    room -= line.length + SEPARATOR.length
    if (room <= 0) break
  }
  return `${verb}: ${shown.join(SEPARATOR)}`
}

/** Reads a line that `writeEdit` has written. */
export function readEdit(text: string): Edit {
  const verb = VERBS.find((one) => text.startsWith(`${one}: `)) ?? 'edit: added'
  const lines = text.slice(verb.length + 2).split(SEPARATOR)
  return { verb, lines: lines.map((line) => /^`` (.{1,400}) ``$/.exec(line)?.[1] ?? line) }
}

/** Returns the first lines of a whole file that say something, without its declarations. */
export function contentOf(text: string, declarations: readonly Declaration[]): Edit[] {
  const others = linesOf(text).filter((_, index) =>
    declarations.every(({ start, end }) => index < start || index >= end),
  )
  const lines = others.filter((line) => SAYS_SOMETHING.test(line) && !COMMENT.test(line) && !isGapNote(line))
  const parts = Array.from({ length: MAX_EDITS }, (_, index) => index * MAX_EDIT_LINES)
  return parts
    .map((start): Edit => ({ verb: 'content', lines: lines.slice(start, start + MAX_EDIT_LINES) }))
    .filter((part) => part.lines.length > 0)
}
