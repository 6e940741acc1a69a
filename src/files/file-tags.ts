import type { FileLists } from '../session/entry.ts'
import { readHeading } from '../text/sections.ts'

/** A file's line: `legacy.ts (Read)`. `RW` means read and written. */
const FILE = /^(.+) \((Read|Write|RW)\)$/

/** A directory's line: `## src/` is below the last heading with fewer marks. */
const HEADING = /^(#+) (.*\/)$/

/** Headings make paths longer than their lines. Past this many times the block's size, it was made to fill memory. */
const MAX_EXPANSION = 16

const plainPaths = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '')

/**
 * The reader of each kind of block. `files` is oh-my-pi's; the other two are pi's and our own, with one path a line.
 */
const BLOCKS: Record<string, (lines: readonly string[]) => FileLists> = {
  'read-files': (lines) => ({ readFiles: plainPaths(lines), modifiedFiles: [] }),
  'modified-files': (lines) => ({ readFiles: [], modifiedFiles: plainPaths(lines) }),
  files: readGroupedPaths,
}

/** A tag on a line of its own. Only `\n` and `\r\n` end a line: `^` and `$` would also match at U+2028, in a file's name. */
const TAG_LINE = /(?<=^|\n)[ \t]*<(\/?)(read-files|modified-files|files)>[ \t]*(?=\r?\n|$)/g

/**
 * Splits a summary into its text and its file tags (planning rule 3). A block counts only if it is closed and its tags
 * are on lines of their own; everything else is text.
 * @returns the text without the blocks and without white space at its end, and the paths as the blocks write them
 */
export function extractFileTags(summary: string): { text: string; files: FileLists } {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const texts: string[] = []
  let textStart = 0
  let open: { name: string; start: number; end: number } | undefined
  for (const { 0: line, 1: slash, 2: name = '', index: start } of summary.matchAll(TAG_LINE)) {
    const end = start + line.length
    // A block that opens inside another shows that the outer one was never closed.
    if (slash === '') open = { name, start, end }
    if (slash === '' || name !== open?.name) continue
    joinFiles(files, BLOCKS[name]?.(summary.slice(open.end, start).split('\n')))
    texts.push(summary.slice(textStart, open.start).trimEnd())
    textStart = end
    open = undefined
  }
  texts.push(summary.slice(textStart))
  const text = texts.join('').trimEnd()
  joinFiles(files, readFileSections(text))
  return { text, files }
}

/** A line without the characters at which programs end lines: those of Unicode, and the separators of ASCII. */
const LINE = /[^\n-\r\x1C-\x1E\x85\u2028\u2029]+/g

/** A text that looks like a file tag, if nothing else is on its line: in any case of letters, with attributes, or with spaces. */
const TAG_ALONE = /^<([\s/]*)(read-files|modified-files|files)(?:[\s/][^<>]*)?>$/i

const readTagAlone = (line: string): RegExpExecArray | null => (line.includes('<') ? TAG_ALONE.exec(line.trim()) : null)

/**
 * Returns a model's draft without file lists: code writes them. A list counts as one in any case of letters and with any
 * attributes. Of a tag that has no other half, the line is removed, and the lines around it stay.
 */
export function removeFileTags(draft: string): string {
  const kept: string[] = []
  let open: { name: string; at: number } | undefined
  for (const line of extractFileTags(draft).text.split('\n')) {
    const [tag, slash = '', name = ''] = readTagAlone(line) ?? []
    if (tag === undefined) {
      kept.push(line)
      continue
    }
    const isClosing = slash.includes('/')
    if (isClosing && name.toLowerCase() === open?.name) kept.length = open.at
    while (kept.at(-1)?.trim() === '') kept.pop()
    open = isClosing ? undefined : { name: name.toLowerCase(), at: kept.length }
  }
  return kept.join('\n')
}

/** Returns a text in which no line is a file tag or looks like one: the bracket of such a tag becomes `&lt;`. */
const escapeTagLines = (text: string): string =>
  text.replace(LINE, (line) => (readTagAlone(line) === null ? line : line.replace('<', '&lt;')))

function joinFiles(files: FileLists, more: FileLists | undefined): void {
  for (const path of more?.readFiles ?? []) files.readFiles.push(path)
  for (const path of more?.modifiedFiles ?? []) files.modifiedFiles.push(path)
}

/**
 * Returns the paths in the lines of oh-my-pi's `files` block: a tree with a heading for each directory, and after each
 * file how it was used (seen in oh-my-pi 18.2.3, which writes `[…3 files elided…]` in place of some files).
 */
export function readGroupedPaths(lines: readonly string[]): FileLists {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  const directories = ['']
  let remainingCharacters = MAX_EXPANSION * lines.reduce((size, line) => size + line.length, 0)
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
    remainingCharacters -= path.length
    if (remainingCharacters < 0) break
    if (mode === 'Read') files.readFiles.push(path)
    else files.modifiedFiles.push(path)
  }
  return files
}

const tag = (name: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `<${name}>\n${paths.join('\n')}\n</${name}>`

/**
 * Returns a summary followed by its file lists, one path a line; an empty list gets no tag (docs/contract.md, "Reply
 * 200"). Text of the summary that looks like a list's tag, such as a quoted question, is escaped: the next compaction
 * would read it as a list.
 */
export function appendFileTags(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  return [escapeTagLines(summary), tag('read-files', readFiles), tag('modified-files', modifiedFiles)]
    .filter(Boolean)
    .join('\n\n')
}

/** The labels of the lists in the section `## Files` of Cline (3.0.65, `ensureFilesSection`). */
const LIST_LABEL = /^(Read|Modified|Edited):(.*)$/

/** The text of an empty list. */
const NO_FILE = /^\(?none\)?$/i

/** Whether lines are Cline's lists of files: labels and paths, and nothing else. */
export const isFileList = (lines: readonly string[]): boolean => {
  const [first = '', ...others] = lines.filter((line) => line.trim() !== '')
  return LIST_LABEL.test(first) && others.every((line) => LIST_LABEL.test(line) || isPath(line))
}

/** A path, and no words about it. */
const isPath = (line: string): boolean => line.startsWith('- ') && !/: | [-–—(]/.test(line.slice(2))

/** Returns the files in the sections of a summary in which Cline lists them. */
function readFileSections(summary: string): FileLists {
  const files: FileLists = { readFiles: [], modifiedFiles: [] }
  if (!FILES_HEADING.test(summary)) return files
  let section: string[] | undefined
  for (const line of [...summary.split('\n'), '## End']) {
    const heading = readHeading(line)
    if (heading === undefined) section?.push(line)
    else {
      if (section !== undefined && isFileList(section)) addFiles(files, section)
      section = heading.name === 'files' ? [] : undefined
    }
  }
  return files
}

const FILES_HEADING = /^#{1,6} Files/im

function addFiles({ readFiles, modifiedFiles }: FileLists, lines: readonly string[]): void {
  let list = readFiles
  for (const line of lines) {
    const [, label, rest = ''] = LIST_LABEL.exec(line) ?? []
    if (label !== undefined) list = label === 'Read' ? readFiles : modifiedFiles
    for (const path of label === undefined ? [line.slice(2)] : rest.split(','))
      if (path.trim() !== '' && !NO_FILE.test(path.trim())) list.push(path.trim())
  }
}
