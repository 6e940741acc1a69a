import type { FileLists } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { readPatchPaths } from './read-patch-paths.ts'

const READING_TOOLS = new Set(['read', 'Read'])

const PATCHING_TOOL = 'apply_patch'

const MODIFYING_TOOLS = new Set(['write', 'edit', 'Write', 'Edit', 'MultiEdit', 'create', 'str_replace', PATCHING_TOOL])

/** Arguments that name a file, by the clients that use them. */
export const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'filename'] as const

/** Reads which files a tool call reads or modifies (planning rule 9): the paths as the call names them. */
export function readFileOperations({ name, arguments: values }: ToolCallBlock): FileLists {
  if (READING_TOOLS.has(name)) return { readFiles: namedPaths(values), modifiedFiles: [] }
  if (!MODIFYING_TOOLS.has(name)) return { readFiles: [], modifiedFiles: [] }
  const patched = name === PATCHING_TOOL ? stringsIn(values).flatMap(readPatchPaths) : []
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

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
