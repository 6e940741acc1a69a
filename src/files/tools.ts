/** The effect of a tool: reads files, writes files, or applies a patch that names the files it changes. */
type ToolKind = 'read' | 'write' | 'patch'

/**
 * The effects of the tools of coding agents, by name. This is the only list of tool names in the source tree. Names of file
 * tools are those of planning rule 9 (docs/contract.md), in exactly this spelling.
 */
const FILE_TOOLS: ReadonlyMap<string, ToolKind> = new Map([
  // pi, oh-my-pi and opencode
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  // Claude Code
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['MultiEdit', 'write'],
  ['NotebookEdit', 'write'],
  // The commands of Anthropic's text editor tool, which some agents offer as tools of their own
  ['create', 'write'],
  ['str_replace', 'write'],
  // Gemini CLI, Qwen Code, Cline, Roo and Kilo
  ['read_file', 'read'],
  ['read_files', 'read'],
  ['read_many_files', 'read'],
  ['view', 'read'],
  ['write_file', 'write'],
  ['write_to_file', 'write'],
  ['replace', 'write'],
  ['replace_in_file', 'write'],
  ['apply_diff', 'write'],
  ['editor', 'write'],
  ['create_file', 'write'],
  ['edit_file', 'write'],
  ['save_file', 'write'],
  // Codex; opencode with OpenAI's models
  ['patch', 'patch'],
  ['apply_patch', 'patch'],
])

/**
 * Editors whose argument `command` says what a call does: `view` reads a file, all others change it. They are those of
 * OpenHands, SWE-agent, Anthropic's API and Goose.
 */
const EDITORS: ReadonlySet<string> = new Set([
  ...['str_replace_editor', 'str_replace_based_edit_tool', 'file_editor', 'text_editor', 'developer__text_editor'],
])

/** Tools that run a command, in lower case: agents write the same names as `bash`, `Bash` or `Shell`. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  // pi, oh-my-pi, opencode and Claude Code
  'bash',
  // Codex
  'shell',
  'exec_command',
  'local_shell',
  'shell_command',
  // OpenHands
  'terminal',
  'run',
  'execute_bash',
  // Goose
  'developer__shell',
  // Cline and Roo
  'execute_command',
  'run_commands',
  // Gemini CLI and Qwen Code
  'run_shell_command',
  // Common names of smaller agents and of MCP servers
  'run_command',
  'exec',
  'execute',
  'sh',
])

/** The beginnings of names of tools that keep a plan or a list of tasks, in lower case: each call replaces the one before. */
const PLAN_TOOL_PREFIXES = ['todowrite', 'todo_write', 'write_todos', 'todo', 'update_plan']

/**
 * How a tool keeps a list of tasks: each call has the whole list (`list`: as items or as a check list, `items`: only as items),
 * its result has it, or each call is about one task, whose id is in a result.
 */
export type TaskToolKind = 'list' | 'items' | 'result' | 'create' | 'update' | 'show'

/** Tools that keep a list of tasks, by their names in lower case. */
const TASK_TOOLS: ReadonlyMap<string, TaskToolKind> = new Map([
  // Claude Code, Qwen Code, Gemini CLI, Codex, opencode, Roo and Kilo, OpenHands
  ['todowrite', 'list'],
  ['todo_write', 'list'],
  ['write_todos', 'list'],
  ['update_plan', 'list'],
  ['update_todo_list', 'list'],
  ['task_tracker', 'list'],
  // opencode; oh-my-pi, whose calls have one change each
  ['todoread', 'result'],
  ['todo', 'result'],
  // Claude Code from 2.1 on
  ['taskcreate', 'create'],
  ['taskupdate', 'update'],
  ['tasklist', 'show'],
  ['taskget', 'show'],
])

/** Other tools with such a word in their names may keep a list of tasks too; `task` alone starts another agent. */
const TASK_WORD = /todo|plan|check_?list|tasks|_task|task_/

/** Returns how a tool keeps a list of tasks; undefined for a tool that keeps none. */
export function taskToolKind(name: string): TaskToolKind | undefined {
  const lowerCase = name.slice(0, MAX_NAME_CHARACTERS).toLowerCase()
  return TASK_TOOLS.get(lowerCase) ?? (TASK_WORD.test(lowerCase) ? 'items' : undefined)
}

const MAX_NAME_CHARACTERS = 200

/** The argument that Cline adds to the calls of all tools: a check list of the whole task. */
export const PROGRESS_ARGUMENT = 'task_progress'

/** The names of tools that write files. */
export const WRITE_TOOLS: readonly string[] = [...FILE_TOOLS]
  .filter(([, kind]) => kind === 'write' || kind === 'patch')
  .map(([name]) => name)

/** The beginnings of names of tools that write files, in lower case. */
const WRITE_TOOL_PREFIXES = WRITE_TOOLS.map((name) => name.toLowerCase())

/** Whether a tool reads a file. @param values the arguments of the call */
export const isReadTool = (name: string, values?: unknown): boolean =>
  EDITORS.has(name) ? isView(values) : FILE_TOOLS.get(name) === 'read'

/** Whether a tool writes a file whose path is an argument. @param values the arguments of the call */
export const isWriteTool = (name: string, values?: unknown): boolean =>
  EDITORS.has(name) ? !isView(values) : FILE_TOOLS.get(name) === 'write'

const isView = (values: unknown): boolean =>
  typeof values === 'object' && values !== null && (values as { command?: unknown }).command === 'view'

/** Whether a tool applies a patch, which names the files that it changes. */
export const isPatchTool = (name: string): boolean => FILE_TOOLS.get(name) === 'patch'

/** Whether a tool runs a shell command. */
export const isCommandTool = (name: string): boolean => COMMAND_TOOLS.has(name.toLowerCase())

/** Whether a tool keeps a plan or a list of tasks, to judge by the beginning of its name. */
export const isPlanTool = (name: string): boolean =>
  PLAN_TOOL_PREFIXES.some((prefix) => name.toLowerCase().startsWith(prefix))

/**
 * Whether a tool might change files, to judge by the beginning of its name: `edit_file` and `write_to_file` as much as
 * `edit` and `write`. For code that must not take a tool that writes for one that only reads.
 */
export function mayChangeFiles(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return WRITE_TOOL_PREFIXES.some((prefix) => lowerCase.startsWith(prefix))
}
