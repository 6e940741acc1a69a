import type { FileLists } from '../session/entry.ts'
import { toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'
import { isPatchTool, isReadTool, isWriteTool } from './tools.ts'

/** Where file lists come from. */
export interface FileSources {
  /** Messages whose tool calls count. */
  messages: Iterable<Message>
  /** Lists of earlier summaries: from their details and their tags. */
  lists?: Iterable<FileLists>
}

/**
 * Collects the files of a compaction (planning rule 9): paths without selectors, `scheme://` paths left out, sorted, and
 * none in both lists, since what was modified is not merely read.
 */
export function collectFiles({ messages, lists = [] }: FileSources): FileLists {
  const read = new Set<string>()
  const modified = new Set<string>()
  const join = ({ readFiles, modifiedFiles }: FileLists): void => {
    addPaths(read, readFiles)
    addPaths(modified, modifiedFiles)
  }
  for (const list of lists) join(list)
  for (const message of messages) for (const call of toolCallsOf(message)) join(readFileOperations(call))
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}

function addPaths(paths: Set<string>, more: readonly string[]): void {
  for (const path of more) {
    const file = normalizePath(path)
    if (file !== undefined) paths.add(file)
  }
}

/** Arguments that name a file, by the clients that use them. */
export const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'filename'] as const

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads which files a tool call reads or modifies (planning rule 9): the paths as the call names them. */
export function readFileOperations({ name, arguments: values }: ToolCallBlock): FileLists {
  if (isReadTool(name)) return { readFiles: namedPaths(values), modifiedFiles: [] }
  if (!isWriteTool(name) && !isPatchTool(name)) return { readFiles: [], modifiedFiles: [] }
  const patched = isPatchTool(name) ? stringsIn(values).flatMap(readPatchPaths) : []
  return { readFiles: [], modifiedFiles: [...namedPaths(values), ...patched] }
}

function namedPaths(values: unknown): string[] {
  if (!isRecord(values)) return []
  return PATH_ARGUMENTS.map((key) => values[key]).filter((path) => typeof path === 'string')
}

/** A patch may be any argument, or all of them: some clients hand it over as plain text. */
function stringsIn(values: unknown): string[] {
  if (typeof values === 'string') return [values]
  return isRecord(values) ? Object.values(values).filter((value) => typeof value === 'string') : []
}
/** A line of `apply_patch`'s own format that names a file. */
const PATCH_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

/** A unified diff's two header lines; one alone may be a changed line that looks like it. */
const DIFF_HEADER = /^--- ([^\r\n]+)\r?\n\+\+\+ ([^\r\n]+)/gm

const NO_FILE = '/dev/null'

/** A time may follow a header's path after a tab. */
const nameIn = (header: string): string => (header.split('\t', 1)[0] ?? '').trim()

/** Reads which files a patch changes, in `apply_patch`'s format or as a unified diff (planning rule 9). */
export function readPatchPaths(patch: string): string[] {
  const paths: string[] = []
  for (const [, path = ''] of patch.matchAll(PATCH_HEADER)) paths.push(path.trim())
  for (const [, before = '', after = ''] of patch.matchAll(DIFF_HEADER))
    for (const path of stripPrefixes(nameIn(before), nameIn(after))) if (path !== NO_FILE) paths.push(path)
  return paths
}

/** Git's `a/` and `b/` are no part of the path, where both sides have them. */
function stripPrefixes(before: string, after: string): [string, string] {
  const isPrefixed = (before.startsWith('a/') || before === NO_FILE) && (after.startsWith('b/') || after === NO_FILE)
  return isPrefixed ? [before.replace(/^a\//, ''), after.replace(/^b\//, '')] : [before, after]
}
const RANGE = String.raw`L?\d+(?:(?:-|\+|\.\.)L?\d+|-|\.\.)?`

/** `50`, `50-200`, `50-`, `50+10`, `L20+10`, `120..140`, lists of these, `raw` and `conflicts` (oh-my-pi 18.2.3). */
const SELECTOR = new RegExp(`^(?:${RANGE}(?:,${RANGE})*|raw|conflicts)$`, 'i')

/** Two characters at least before the colon, so that a Windows drive is none. */
const SCHEME = /[a-z0-9+.-]{2}:\/\//i

/** Linux's PATH_MAX: what is longer names no file. */
const MAX_PATH_CHARACTERS = 4096

/**
 * Takes the line selectors off a path, since they do not make another file: `a.ts:50-200:raw` is `a.ts` (planning
 * rule 9).
 * @returns undefined for what is no file: a `scheme://` path, a blank one, or one that could not stand on a line
 */
export function normalizePath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS || /[\r\n]/.test(path) || SCHEME.test(path)) return undefined
  const file = stripSelectors(path.trim())
  return file === '' ? undefined : file
}

function stripSelectors(path: string): string {
  let file = path
  for (let colon = file.lastIndexOf(':'); colon > 0; colon = file.lastIndexOf(':')) {
    if (!SELECTOR.test(file.slice(colon + 1))) break
    file = file.slice(0, colon)
  }
  return file
}
