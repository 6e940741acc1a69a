import { fieldsOf, isObject, type FileLists } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { isPatchTool, isReadTool, isWriteTool } from './tools.ts'

/**
 * The arguments of file tools that name a file: `path` is pi's, `file_path` that of Claude Code and Gemini CLI, `filePath`
 * opencode's.
 */
export const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'filename', 'notebook_path', 'absolute_path'] as const

const PATH_ARGUMENT_NAMES: ReadonlySet<string> = new Set(PATH_ARGUMENTS)

/** Whether an argument names a file. Its value is never cut, since the agent needs the path as it is. */
export const isPathArgument = (name: string): boolean => PATH_ARGUMENT_NAMES.has(name)

/** Returns the paths that a tool call reads or modifies (planning rule 9), as the call writes them. */
export function readFileOperations({ name, arguments: values }: ToolCallBlock): FileLists {
  if (isReadTool(name, values)) return { readFiles: namedPaths(values), modifiedFiles: [] }
  if (!isWriteTool(name, values) && !isPatchTool(name)) return { readFiles: [], modifiedFiles: [] }
  const patched = isPatchTool(name) ? stringsIn(values).flatMap(readPatchPaths) : []
  return { readFiles: [], modifiedFiles: [...namedPaths(values), ...patched] }
}

/** Arguments that select a part of a file, or several files. */
export const PART_ARGUMENTS = [
  ...['offset', 'limit', 'start_line', 'end_line', 'view_range', 'range', 'pages'],
  ...['files', 'paths'],
] as const

/** Whether a call reads a whole file: its path has no line selector, and no argument selects a part. */
export function isWholeRead({ name, arguments: values }: ToolCallBlock): boolean {
  const [path] = isReadTool(name, values) ? namedPaths(values) : []
  if (path === undefined || path !== normalizePath(path)) return false
  return PART_ARGUMENTS.every((argument) => (fieldsOf(values)[argument] ?? null) === null)
}

function namedPaths(values: unknown): string[] {
  const fields = fieldsOf(values)
  // Lists of files: `files` is Cline's, `paths` that of Gemini CLI.
  const listed = [fields['files'], fields['paths']].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const paths = [
    ...PATH_ARGUMENTS.map((key) => fields[key]),
    ...listed.map((one) => (isObject(one) ? one['path'] : one)),
  ]
  return paths.filter((path) => typeof path === 'string')
}

/** Returns the texts among the arguments of a call, or the arguments themselves where they are plain text. */
export function stringsIn(values: unknown): string[] {
  if (typeof values === 'string') return [values]
  return Object.values(fieldsOf(values)).filter((value) => typeof value === 'string')
}

/** A line that names a file in the format of `apply_patch`. */
const PATCH_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

/**
 * The two header lines of a unified diff. One of them alone may be a changed line that begins with the same signs. No part passes
 * a line end of Unicode: `^` matches after it, and a text of many of them would take quadratic time.
 */
const DIFF_HEADER = /^--- (.+)\r?\n\+\+\+ (.+)/gm

const NO_FILE = '/dev/null'

/** The path in a diff's header line; a tab and a time may follow it. */
const pathIn = (header: string): string => (header.split('\t', 1)[0] ?? '').trim()

/** Returns the paths that a patch changes, in the format of `apply_patch` or as a unified diff (planning rule 9). */
export function readPatchPaths(patch: string): string[] {
  const paths: string[] = []
  for (const [, path = ''] of patch.matchAll(PATCH_HEADER)) paths.push(path.trim())
  for (const [, before = '', after = ''] of patch.matchAll(DIFF_HEADER))
    for (const path of stripPrefixes(pathIn(before), pathIn(after))) if (path !== NO_FILE) paths.push(path)
  return paths
}

/** Removes git's prefixes `a/` and `b/` where both sides have them. */
function stripPrefixes(before: string, after: string): [string, string] {
  const isPrefixed = (before.startsWith('a/') || before === NO_FILE) && (after.startsWith('b/') || after === NO_FILE)
  return isPrefixed ? [before.replace(/^a\//, ''), after.replace(/^b\//, '')] : [before, after]
}

const RANGE = String.raw`L?\d+(?:(?:-|\+|\.\.)L?\d+|-|\.\.)?`

/** `50`, `50-200`, `50-`, `50+10`, `L20+10`, `120..140`, lists of these, `raw` and `conflicts` (oh-my-pi 18.2.3). */
const SELECTOR = new RegExp(`^(?:${RANGE}(?:,${RANGE})*|raw|conflicts)$`, 'i')

/** At least two characters before the colon: `C:` is a Windows drive and not a scheme. */
const SCHEME = /[a-z0-9+.-]{2}:\/\//i

/** Linux's PATH_MAX: a longer text is not a path. */
const MAX_PATH_CHARACTERS = 4096

/** Characters at which programs end lines: a path with one would be several lines of a list. */
const LINE_END = /[\n-\r\x1C-\x1E\x85\u2028\u2029]/

/** A tag of our file lists. As the name of a file, it would end a list, or begin one. */
const FILE_TAG = /<[\s/]*(?:read-files|modified-files|files)\b/i

const UNLISTED = [LINE_END, SCHEME, FILE_TAG] as const

/** Returns what follows the last slash of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns a path without its line selectors, which do not make it another file: `a.ts:50-200:raw` is `a.ts` (planning
 * rule 9).
 * @returns undefined where the path names no file that a list can name: a `scheme://` path, a blank or overlong one, one
 *   with a line end, one with a tag of our file lists
 */
export function normalizePath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS || UNLISTED.some((pattern) => pattern.test(path))) return undefined
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

/** Paths have fewer folders than this; of a longer one, the last ones are compared. */
export const MAX_COMPARED_FOLDERS = 12

/** Returns a path without `./` before it and slashes behind it. */
export const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/{1,9}$/, '')

/** Returns the folder that a path names in another folder; empty for the one in which a command runs anyway. */
export function inFolder(folder: string, path: string): string {
  const named = path.replace(/^(?:\$PWD|\$\{PWD\})(?=\/|$)/, '.').replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)/, '~')
  return joinPaths(folder, named)
}

/** Returns a path from a folder on, without steps up as far as it has folders for them. */
export function joinPaths(folder: string, path: string): string {
  const whole = folder === '' || /^[/~$]/.test(path) ? path : `${folder}/${path}`
  const parts: string[] = []
  for (const part of whole.split('/'))
    if (part === '..' && !/^(?:\.\.)?$/.test(parts.at(-1) ?? '')) parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return (whole.startsWith('/') ? '/' : '') + parts.join('/')
}

/** Folders that may be those of another repository. */
const ELSEWHERE = /^(?:\.\.|[/~])/

/** Whether two folders may be those of one repository: one is in the other, or both are below the same one. */
export const mayBeTogether = (folder: string, other: string): boolean =>
  folder === other ||
  ![folder, other].some((path) => ELSEWHERE.test(path)) ||
  [[folder, other] as const, [other, folder] as const].some(([a, b]) => b !== '' && a.startsWith(`${b}/`))

/** Returns the relative paths that a path ends with, the longest first: a command may name a file by each of them. */
export const endsOfPath = (path: string): string[] =>
  path
    .split('/')
    .slice(-MAX_COMPARED_FOLDERS)
    .map((_part, index, parts) => parts.slice(index).join('/'))
