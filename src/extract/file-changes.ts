import { normalizePath, stringsIn } from '../files/paths.ts'
import { isPatchTool } from '../files/tools.ts'
import { fieldsOf, firstText } from '../session/entry.ts'
import { filesOf, type ToolRun } from './runs.ts'

/** The change of a file by a call. */
export interface FileChange {
  path: string
  removed: string
  added: string
  /** Whether `added` is the whole file. */
  isWhole: boolean
}

const NEW_TEXTS = ['newText', 'new_string', 'newString', 'new_str', 'new_text', 'replacement'] as const
const OLD_TEXTS = ['oldText', 'old_string', 'oldString', 'old_str', 'old_text'] as const
const WHOLE_TEXTS = ['content', 'file_text', 'contents'] as const

/** Returns what the call of a run does to files, one change for each place of a file. */
export function readChanges(run: ToolRun): FileChange[] {
  const { call } = run
  const [modified] = filesOf(run).modifiedFiles
  if (call === undefined || modified === undefined) return []
  if (isPatchTool(call.name)) return readPatch(stringsIn(call.arguments).find((text) => text.includes('***')) ?? '')
  const values = fieldsOf(call.arguments)
  const path = normalizePath(modified)
  if (path === undefined) return []
  const whole = firstText(values, WHOLE_TEXTS)
  if (whole !== undefined) return [{ path, removed: '', added: whole, isWhole: true }]
  const edits = Array.isArray(values.edits) ? values.edits.map(fieldsOf) : [values]
  return edits.map((edit) => ({
    path,
    removed: firstText(edit, OLD_TEXTS) ?? '',
    added: firstText(edit, NEW_TEXTS) ?? '',
    isWhole: false,
  }))
}

const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** Reads a patch in the format of `apply_patch`. */
function readPatch(patch: string): FileChange[] {
  const changes: { path: string; removed: string[]; added: string[]; isWhole: boolean }[] = []
  for (const line of patch.split('\n')) {
    const [, verb, path = ''] = PATCHED.exec(line) ?? []
    if (verb !== undefined) changes.push({ path: path.trim(), removed: [], added: [], isWhole: verb !== 'Update' })
    else if (line.startsWith('+')) changes.at(-1)?.added.push(line.slice(1))
    else if (line.startsWith('-')) changes.at(-1)?.removed.push(line.slice(1))
  }
  return changes.map((one) => ({ ...one, removed: one.removed.join('\n'), added: one.added.join('\n') }))
}
