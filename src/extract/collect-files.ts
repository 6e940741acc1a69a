import { inFolder, normalizePath } from '../files/paths.ts'
import { isReadTool } from '../files/tools.ts'
import type { FileLists } from '../session/entry.ts'
import { toolCallsOf } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { writtenBy } from './command-files.ts'
import { saysCallFailed } from './error-lines.ts'
import {
  commandFilesOf,
  filesOf,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type PairedMessages,
  type ToolRun,
} from './runs.ts'

/** As many files are listed as read, the newest: an agent reads a file again rather than a list of hundreds. */
const MAX_READ_FILES = 100

/**
 * Returns the files that a compaction names (planning rule 9), sorted: paths without line selectors, and without
 * `scheme://` paths. A file that was modified is not in the list of read files, nor is one that could not be read; one whose
 * edits have all failed or were refused is in none.
 * @param lists the lists of earlier summaries, from their details and their file tags
 */
export function collectFiles({ messages, runs }: PairedMessages, lists: Iterable<FileLists> = []): FileLists {
  const [read, modified] = [new Map<string, string>(), new Map<string, string>()]
  const join = ({ readFiles, modifiedFiles }: FileLists, from: Pick<ToolRun, 'folder' | 'command'>): void => {
    addPaths(read, readFiles, from)
    addPaths(modified, modifiedFiles, from)
  }
  const home = [...runs.values()].find(({ folder }) => folder !== undefined)?.folder
  for (const list of lists) join(list, defined({ folder: home }))
  for (const call of messages.flatMap(toolCallsOf)) {
    const run = runs.get(call)
    if (run === undefined) continue
    const files = run.command === undefined ? filesOf(run) : writtenFiles(run)
    // Most calls name no file: how they ended takes time to find out.
    if ((files.readFiles.length > 0 || files.modifiedFiles.length > 0) && !hasFailed(run)) join(files, run)
  }
  const onlyRead = [...read].flatMap(([place, path]) => (modified.has(place) ? [] : path)).slice(-MAX_READ_FILES)
  return { readFiles: [...new Set(onlyRead)].sort(), modifiedFiles: [...new Set(modified.values())].sort() }
}

/** Returns the files that a command names and has written, unless it has failed or was stopped. */
function writtenFiles(run: ToolRun): FileLists {
  const modifiedFiles = WRITES.test(run.command ?? '') ? writtenBy(commandFilesOf(run), simpleCommandsOf(run)) : []
  const hasRun = modifiedFiles.length > 0 && run.result !== undefined && outcomeOf(run).isAborted !== true
  return { readFiles: [], modifiedFiles: hasRun ? modifiedFiles : [] }
}

/** A part of each command that writes files: most commands need not be read. */
const WRITES = /[>]|\b(?:tee|sed|cp|mv)\b/

/** Adds paths by their places: of a file, the one that a tool for files has named last, if any has. */
function addPaths(
  paths: Map<string, string>,
  more: readonly string[],
  { folder, command }: Pick<ToolRun, 'folder' | 'command'>,
): void {
  for (const path of more) {
    const file = normalizePath(path)
    if (file === undefined) continue
    const place = folder === undefined ? file : inFolder(folder, file)
    const known = command === undefined ? undefined : paths.get(place)
    // The newest mention counts.
    paths.delete(place)
    paths.set(place, known ?? file)
  }
}

/** Where the client does not say how a call ended, as in OpenAI's chat format, a result that is only an error counts. */
function hasFailed(run: ToolRun): boolean {
  const { call, result } = run
  if (call === undefined) return false
  if (outcomeOf(run).kind === 'failed') return true
  if (result?.role !== 'toolResult' || result.isUnmarked !== true) return false
  const text = outputOf(run).trim()
  const isText = result.content.every(({ type }) => type === 'text')
  if (!isText || text.length > MAX_ERROR_CHARACTERS) return false
  return saysCallFailed(text) || (!isReadTool(call.name, call.arguments) && NO_EDIT.test(text))
}

const MAX_ERROR_CHARACTERS = 500

/** The results of an edit that changes nothing. */
const NO_EDIT =
  /^(?:<tool_use_error>)?(?:(?:the )?(?:string to replace|old_?string|search (?:text|block|string)|text to replace)\b[^\n]{0,100}\bnot found|no (?:match|replacement|changes)\b|your proposed edit has introduced)/i
