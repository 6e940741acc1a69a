import { diffLines, type DiffLine } from '../../text/diff-lines.ts'
import type { Terminal } from '../terminal.ts'

/** How many lines are shown around a change. */
const CONTEXT_LINES = 2

/** Returns the lines that a change adds and removes, with some around them. */
export function writeDiff(before: string, after: string, paint: Terminal['paint']): string {
  const lines = compare(before, after)
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same')
  let isCut = false
  return lines
    .flatMap((line, index) => {
      if (!isNear(index)) {
        const wasCut = isCut
        isCut = true
        return wasCut ? [] : ['  ...']
      }
      isCut = false
      return [paint(COLOURS[line.kind], `${MARKS[line.kind]} ${line.text.replace(/\r$/, '')}`)]
    })
    .join('\n')
}

const MARKS = { same: ' ', added: '+', removed: '-' } as const
const COLOURS = { same: 'dim', added: 'green', removed: 'red' } as const

/** Long files have most lines in common, at their beginnings and ends. */
function compare(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  const [left, right] = [a, b].map((lines) => lines.slice(start, lines.length - end))
  return [...same(a.slice(0, start)), ...diffParts(left ?? [], right ?? []), ...same(a.slice(a.length - end))]
}

function diffParts(a: string[], b: string[]): DiffLine[] {
  const all = (lines: string[], kind: DiffLine['kind']): DiffLine[] => lines.map((text) => ({ kind, text }))
  // An empty list of lines is no empty line.
  return a.length === 0 || b.length === 0
    ? [...all(a, 'removed'), ...all(b, 'added')]
    : diffLines(a.join('\n'), b.join('\n'))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
