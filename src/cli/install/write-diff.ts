import { diffLists } from '../../text/diff-lists.ts'
import type { Terminal } from '../terminal.ts'

/** How many lines are shown around a change. */
const CONTEXT_LINES = 2

/** Returns the lines that a change adds and removes, with some around them. */
export function writeDiff(before: string, after: string, paint: Terminal['paint']): string {
  const lines = diffLists(linesOf(before), linesOf(after))
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
      return [paint(COLOURS[line.kind], `${MARKS[line.kind]} ${line.item.replace(/\r$/, '')}`)]
    })
    .join('\n')
}

const MARKS = { same: ' ', added: '+', removed: '-' } as const
const COLOURS = { same: 'dim', added: 'green', removed: 'red' } as const

/** An empty text has no line. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
