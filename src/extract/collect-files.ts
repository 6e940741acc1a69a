import { normalizePath } from '../files/paths.ts'
import { isReadTool } from '../files/tools.ts'
import type { FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { filesOf, outcomeOf, outputOf, pairCalls, type ToolRun } from './runs.ts'

/** The sources of a compaction's file lists. */
interface FileSources {
  /** Messages whose tool calls name files. */
  messages: Iterable<Message>
  /** The lists of earlier summaries, from their details and their file tags. */
  lists?: Iterable<FileLists>
}

/**
 * Returns the files that a compaction names (planning rule 9), sorted: paths without line selectors, and without
 * `scheme://` paths. A file that was modified is not in the list of read files, nor is one that could not be read.
 */
export function collectFiles({ messages, lists = [] }: FileSources): FileLists {
  const read = new Set<string>()
  const modified = new Set<string>()
  const join = ({ readFiles, modifiedFiles }: FileLists): void => {
    addPaths(read, readFiles)
    addPaths(modified, modifiedFiles)
  }
  for (const list of lists) join(list)
  for (const [key, run] of pairCalls(messages)) if (key === run.call && !isFailedRead(run)) join(filesOf(run))
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}

function addPaths(paths: Set<string>, more: readonly string[]): void {
  for (const path of more) {
    const file = normalizePath(path)
    if (file !== undefined) paths.add(file)
  }
}

/** Where the client does not say how a call ended, as in OpenAI's chat format, a result that is only an error counts. */
function isFailedRead(run: ToolRun): boolean {
  const { call, result } = run
  if (call === undefined || !isReadTool(call.name, call.arguments)) return false
  if (outcomeOf(run).kind === 'failed') return true
  if (result?.role !== 'toolResult' || result.isUnmarked !== true) return false
  const text = outputOf(run).trim()
  const isText = result.content.every(({ type }) => type === 'text')
  return isText && text.length <= MAX_ERROR_CHARACTERS && READ_ERROR.test(text)
}

const MAX_ERROR_CHARACTERS = 500

/** What tools return for a file that they cannot read: opencode, Claude Code, Gemini CLI, Cline, SWE-agent, Node.js, Python. */
const READ_ERROR =
  /^(?:<tool_use_error>)?(?:error\b[^\n]{0,40}:|E(?:NOENT|ACCES|ISDIR)\b|(?:the )?(?:file|path)\b[^\n]{0,300}\b(?:not found|does not exist|doesn't exist)|no such file|(?:could not|cannot|can't|failed to|unable to) (?:read|open|find|access)\b|FileNotFoundError\b|permission denied)/i
