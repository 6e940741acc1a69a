import type { FileLists } from '../session/entry.ts'

/** `## src/`: a directory below the last heading with fewer marks. */
const HEADING = /^(#+) (.*\/)$/

/** `legacy.ts (Read)`; `RW` was read and written. */
const FILE = /^(.+) \((Read|Write|RW)\)$/

/** A heading is written once for many files: past this many times the block's own size it was made to fill memory. */
const MAX_EXPANSION = 16

/**
 * Reads the lines of oh-my-pi's files block: a tree with a heading for each directory, and what was done with each file
 * (read in its 18.2.3, which notes as `[…3 files elided…]` what it left out).
 */
export function readGroupedPaths(lines: readonly string[]): FileLists {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const directories = ['']
  let room = MAX_EXPANSION * lines.reduce((size, line) => size + line.length, 0)
  for (const raw of lines) {
    const line = raw.trim()
    const [, marks, name] = HEADING.exec(line) ?? []
    if (marks !== undefined && name !== undefined) {
      directories.length = Math.min(marks.length, directories.length)
      directories.push(`${directories.at(-1) ?? ''}${name}`)
      continue
    }
    const [, file, mode] = FILE.exec(line) ?? []
    if (file === undefined) continue
    const path = `${directories.at(-1) ?? ''}${file}`
    room -= path.length
    if (room < 0) break
    if (mode === 'Read') files.readFiles.push(path)
    else files.modifiedFiles.push(path)
  }
  return files
}
