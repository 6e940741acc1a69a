import { findDeclarations } from '../../extract/declarations.ts'
import { withoutEnvelope } from '../../extract/error-lines.ts'
import { commandFilesOf, filesOf, outcomeOf, outputOf, type ToolRun } from '../../extract/runs.ts'
import { isWholeRead, normalizePath } from '../../files/paths.ts'
import { shorten } from '../../text/shorten.ts'
import { isDocument } from '../../extract/documents.ts'
import { DETAIL, SOURCES } from './describe-details.ts'
import type { ReadFact } from './facts.ts'
import { contentOf, writeEdit } from './file-edits.ts'
import type { Statement } from './ranked-lines.ts'

/** The form of a statement about a file that was read: an earlier one is recognized by it. */
export const READ_FILE = /^- File `(.+?)`, as read:/

/** Whether a statement describes a file. */
export const isFileStatement = (text: string): boolean => SOURCES.file.test(text) || READ_FILE.test(text)

/** The newest files that were read, each with so many lines. */
const MAX_FILES = 16
const MAX_LINES = 12
const MAX_LINE_CHARACTERS = 160

/** How much of a file is searched. */
const MAX_READ_CHARACTERS = 60_000

/** A file with fewer declarations is described by its lines. */
const MIN_DECLARED = 3

/** Files without declarations, of which the lines say what is in them. */
const SETTINGS = /\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|env|properties|sql|csv|tsv)$|(?:^|\/)(?:Dockerfile|Makefile)$/i

/** Files of packages: nobody continues to work on them. */
const INSTALLED = /(?:^|\/)(?:node_modules|deps|vendor|site-packages|target|\.venv)\//

/** Files that have what a command printed: Claude Code keeps the outputs of tasks in such files. */
const PRINTED = /\.(?:output|log|out|err)$/i

/** The numbers that tools write before the lines of a file. */
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|: | ?\| ?)/gm

/** Records what is in the files that the agent has read and not changed: who continues need not read them again. */
export class ReadFiles {
  readonly #files = new Map<string, ReadFact>()

  /** Records a call that has read one file. A document is described elsewhere. */
  read(run: ToolRun): void {
    if (outcomeOf(run).kind === 'failed') return
    const { readFiles, modifiedFiles } = filesOf(run)
    const read = run.command === undefined ? readFiles : commandFilesOf(run).read
    const path = normalizePath(read[0] ?? '')
    if (path === undefined || read.length > 1 || modifiedFiles.length > 0) return
    const output = withoutEnvelope(outputOf(run))
    if (INSTALLED.test(path) || PRINTED.test(path) || isDocument(output)) return
    this.#files.delete(path)
    const text = output.slice(0, MAX_READ_CHARACTERS).replace(LINE_NUMBER, '')
    const lines = linesOf(text, SETTINGS.test(path) || isWhole(run))
    if (lines.length === 0) return
    this.#files.set(path, { path, lines })
    if (this.#files.size > MAX_FILES) this.#files.delete(this.#files.keys().next().value ?? '')
  }

  /** Records that a file was changed: what was read in it is not current any more. */
  change(path: string): void {
    this.#files.delete(normalizePath(path) ?? path)
  }

  /** Returns the files, the newest last. */
  files(): ReadFact[] {
    return [...this.#files.values()]
  }
}

/** Whether a run has read a file from its beginning to its end. */
const isWhole = ({ call, command }: ToolRun): boolean =>
  command === undefined ? call !== undefined && isWholeRead(call) : /^cat \S+$/.test(command.trim())

function linesOf(text: string, isWholeText: boolean): string[] {
  const declared = findDeclarations(text)
  const isPlain = isWholeText && declared.length < MIN_DECLARED
  const content = isPlain ? contentOf(text, declared).map(writeEdit) : []
  const lines = [...declared.map(({ signature }) => signature), ...content]
  return [...new Set(lines)].slice(0, MAX_LINES).map((line) => shorten(line, MAX_LINE_CHARACTERS))
}

/** Returns a statement about a file that was read; newer files and first lines stay longer. */
export function describeReadFile({ path, lines }: ReadFact, index: number, all: readonly ReadFact[]): Statement {
  const base = (MAX_LINES * (index + 1)) / all.length
  return {
    head: `- File \`${path}\`, as read:`,
    rating: { kind: 'read', score: base + 1 },
    details: lines.map((text, place) => ({ text: DETAIL + text, rating: { kind: 'read', score: base - place } })),
  }
}
