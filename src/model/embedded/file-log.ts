import type { Outcome } from '../../extract/outcome.ts'
import { findDeclarations } from '../../extract/declarations.ts'
import { readChanges, type FileChange } from '../../extract/file-changes.ts'
import { commandFilesOf, filesOf, hasCommitted, simpleCommandsOf, type ToolRun } from '../../extract/runs.ts'
import { restoredBy } from '../../extract/taking-back.ts'
import { inFolder, normalizePath, stringsIn } from '../../files/paths.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { FileFact } from './facts.ts'
import { addEdit, contentOf, readEdit, replacerOf, writeEdit, type Edit } from './file-edits.ts'

const MAX_FILES = 200
const MAX_NAMES = 80

/** A file with fewer declarations, such as one of settings, is described by its lines. */
const MIN_DECLARED = 3

interface FileState {
  isWritten: boolean
  /** Signatures by the names that they declare. */
  declared: Map<string, string>
  /** The first lines that each of the newest edits added or else removed, oldest first. */
  edits: Edit[]
}

/** Records what the tool calls of a conversation put into files. Only calls that succeeded count. */
export class FileLog {
  readonly #files = new Map<string, FileState>()
  /** The files that were changed since the last commit, as they were then. */
  #committed = new Map<string, FileState | undefined>()

  /** @param known the files that an earlier summary describes */
  constructor(known: readonly FileFact[]) {
    for (const { path, isWritten, declared, edits } of known)
      this.#files.set(path, {
        isWritten,
        declared: new Map(declared.map((signature) => [findDeclarations(signature)[0]?.name ?? signature, signature])),
        edits: edits.map(readEdit),
      })
  }

  /** Records a call that succeeded. @returns the paths of the files that it has changed */
  change(run: ToolRun): string[] {
    const changes = readChanges(run)
    if (hasCommitted(run)) this.#committed = new Map()
    for (const path of restoredBy(simpleCommandsOf(run))) this.#restore(path)
    const { deleted } = commandFilesOf(run)
    for (const path of run.command === undefined ? [] : deleted) this.#delete(normalizePath(path) ?? path, run)
    for (const { path, removed, added, isWhole } of changes) this.#change(path, { removed, added, isWhole })
    return [...new Set(changes.map(({ path }) => path))]
  }

  /** Returns the files with what is known of their content, the one that was changed last at the end. */
  files(): FileFact[] {
    return [...this.#files]
      .map(([path, { isWritten, declared, edits }]) => ({
        path,
        isWritten,
        declared: [...declared.values()],
        edits: edits.map(writeEdit),
      }))
      .filter(({ declared, edits }) => declared.length + edits.length > 0)
  }

  /** Forgets a file, however it is named. */
  #delete(path: string, { folder = '' }: ToolRun): void {
    const place = inFolder(folder, path)
    for (const file of this.#files.keys()) if (inFolder(folder, file) === place) this.#files.delete(file)
  }

  /** Sets a file, or all below a folder, back to what it was at the last commit. */
  #restore(path: string): void {
    for (const [file, before] of this.#committed) {
      const isNamed = path === '.' || file === path || file.endsWith(`/${path}`)
      if (!isNamed || !this.#committed.delete(file)) continue
      this.#files.delete(file)
      if (before !== undefined) this.#files.set(file, before)
    }
  }

  #change(path: string, { removed, added, isWhole }: Omit<FileChange, 'path'>): void {
    const before = this.#files.get(path)
    if (!this.#committed.has(path)) this.#committed.set(path, before && copyOf(before))
    const state: FileState =
      isWhole || before === undefined ? { isWritten: isWhole, declared: new Map(), edits: [] } : before
    this.#files.delete(path)
    this.#files.set(path, state)
    if (this.#files.size > MAX_FILES) this.#files.delete(this.#files.keys().next().value ?? '')
    for (const { name } of findDeclarations(removed)) state.declared.delete(name)
    const replace = replacerOf(removed, added)
    for (const [name, signature] of state.declared) state.declared.set(name, replace(signature))
    const declarations = findDeclarations(added)
    for (const { name, signature } of declarations)
      if (state.declared.size < MAX_NAMES || state.declared.has(name)) state.declared.set(name, signature)
    if (!isWhole) state.edits = addEdit(state.edits, removed, added)
    else if (state.declared.size < MIN_DECLARED) state.edits = contentOf(added, declarations)
  }
}

const copyOf = ({ declared, ...state }: FileState): FileState => ({ ...state, declared: new Map(declared) })

const MAX_CALL_CHARACTERS = 160

/** Returns a tool call on one line: its name, and the command, the path or the first text among its arguments. */
export function describeCall(run: ToolRun): string {
  const { modifiedFiles, readFiles } = filesOf(run)
  const about = run.command ?? [...modifiedFiles, ...readFiles][0] ?? stringsIn(run.call?.arguments)[0] ?? ''
  // The server of a tool chooses its name.
  const name = shorten(oneLine((run.call?.name ?? '').slice(0, 1000)), MAX_CALL_CHARACTERS)
  return `\`${name}\`${about === '' ? '' : ` of ${shorten(oneLine(about.slice(0, 1000)), MAX_CALL_CHARACTERS)}`}`
}

/** How a call ended, in words. */
export const CALL_OUTCOMES: Readonly<Record<Outcome['kind'], string>> = {
  succeeded: 'ok',
  failed: 'failed',
  unknown: 'ended',
}
