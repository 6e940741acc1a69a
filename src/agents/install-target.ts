import { shellWord } from '../text/controls.ts'
import type { AgentName, Machine } from './home.ts'
import { hooksOf, isHookedAgent, type HookedAgentName } from './hooks.ts'

/** An agent into which `precis install` can write: where its settings are, and what is added to them. */
export interface InstallTarget extends AgentName {
  /** The command that starts it; absent for an extension of an editor. */
  command?: string
  /** The versions whose settings and hooks are known. docs/agents.md has those with which an installation was tried. */
  known: readonly string[]
  /** Returns a folder that it creates when it is installed or first started. */
  folder: (machine: Machine) => string
  /** Returns all that is added, for a user or for one project. */
  settings: (setup: Setup) => readonly AgentSetting[]
  /** Returns what its model gets at a compaction, as a sentence; undefined, or absent: no summary by Précis. */
  atCompaction?: (setup: Setup) => string | undefined
  /** Whether it has settings for one project. */
  hasProjects: boolean
  /** Returns the setting with which a user switches all hooks off. */
  hooksOff?: (setup: Setup) => HookSwitch
  /** Returns what the user has to do after an installation, as sentences. */
  advice?: (setup: Setup) => readonly string[]
  /** Returns the processes of it that may be running: they may write over a file that another program changes. */
  processes?: (machine: Machine) => readonly number[]
}

interface HookSwitch {
  file: string
  path: readonly string[]
  /** The value that means that no hook runs. */
  value: boolean
}

/** What an installation is for. */
export interface Setup extends Machine {
  /** The words that start the command line `precis`, in any folder and with any PATH. */
  start: readonly string[]
  /** The absolute path of a project; absent for the settings of the user. */
  project?: string | undefined
  /** The address of a service that writes the summaries; absent: the hooks do it themselves. */
  url?: string | undefined
}

export type AgentSetting = MemberSetting | ElementSetting | TableSetting | KeySetting | WholeFile

interface SettingBase {
  /** The absolute path of the file. */
  file: string
  /** What it is for, in words for the user. */
  purpose: string
}

/** A member of an object in a JSON file. */
export interface MemberSetting extends SettingBase {
  kind: 'member'
  path: readonly string[]
  value: unknown
  /** The agent's own commands that write it, with its value as JSON behind them, and remove it: for a file that the running agent writes too. */
  commands?: { add: readonly string[]; remove: readonly string[] }
}

/** An element of a list in a JSON file; one with a list `hooks` has one hook in it, beside which a user may put others. */
export interface ElementSetting extends SettingBase {
  kind: 'element'
  path: readonly string[]
  value: unknown
  /** Whether an element, or a hook in an element, is one that an installation of Précis has written, also an older one. */
  isOurs: (value: unknown) => boolean
}

/** A table of a TOML file. */
export interface TableSetting extends SettingBase {
  kind: 'table'
  name: readonly string[]
  value: TomlTable
}

/** The values of a table: texts, lists of texts, numbers, booleans. */
export type TomlTable = Readonly<Record<string, string | readonly string[] | number | boolean>>

/** A value in a YAML file. */
export interface KeySetting extends SettingBase {
  kind: 'key'
  path: readonly [string, string]
  value: string | boolean
}

interface WholeFile extends SettingBase {
  kind: 'file'
  text: string
  /** The command line that it runs, if it is a program of the agent's user. A user may have one with this name already. */
  command?: string
}

/** What one of the first lines of such a file has. */
export const FILE_MARK = 'Written by precis install'

/** Returns such a line, for the file of an agent. */
export const fileMarkFor = (agent: string): string => `${FILE_MARK} ${agent}. To remove it: precis uninstall ${agent}`

/** The name of the tool server in all agents. */
export const SERVER_NAME = 'precis'

export const TOOLS_PURPOSE = 'the tools recall, outline and read_entries'

/** Returns the program and the arguments of the tool server. */
export const toolServerOf = ({ start: [command = '', ...args] }: Setup): { command: string; args: string[] } => ({
  command,
  args: [...args, 'mcp'],
})

/** The word before `mcp` or `hook`, wherever an installation, or a user who has followed docs/agents.md, has started this program from. */
const OUR_PROGRAM = /(?:^|[\s'"\\/])(?:precis(?:@[\w.-]+)?|(?:dist|src)[\\/]cli[\\/]main\.[jt]s)['"]?$/

/** Returns whether the settings of a tool server start that of Précis: its words are `command` and `args`, or `command` alone. */
export function isOurServer(value: unknown): boolean {
  const { command, args = [] } = (value ?? {}) as { command?: unknown; args?: unknown }
  const [program, last] = [command, args].flat().slice(-2)
  return last === 'mcp' && typeof program === 'string' && OUR_PROGRAM.test(program)
}

/** Returns the setting for the tool server in a JSON file, as most agents have it. @param more what it has beside the program */
export const serverSetting = (setup: Setup, file: string, more: object = {}): MemberSetting => ({
  ...{ kind: 'member', file, path: ['mcpServers', SERVER_NAME], purpose: TOOLS_PURPOSE },
  value: { ...toolServerOf(setup), ...more },
})

/** Returns the words that run a hook of an agent, but for the event. */
export const hookWords = ({ start, url }: Setup, agent: HookedAgentName): string[] => [
  ...start,
  'hook',
  ...(url === undefined ? [] : ['--url', url]),
  agent,
]

interface HookLine {
  agent: HookedAgentName
  event: string
  /** What runs the agent's hooks on Windows, if it is not a POSIX shell or cmd.exe. */
  runner?: 'PowerShell' | undefined
}

/** Returns the command line of a hook. */
export function hookCommand(setup: Setup, { agent, event, runner }: HookLine): string {
  const words = [...hookWords(setup, agent), event]
  // PowerShell takes a path in quotes for a text, unless `&` runs it.
  return runner === 'PowerShell' && isOnWindows(setup)
    ? `& ${words.map(powerShellWord).join(' ')}`
    : words.map(hookWord).join(' ')
}

const WINDOWS_PATH = /^(?:[A-Za-z]:|\\)\\/

/** In double quotes, a POSIX shell and cmd.exe take a backslash before a letter as it is, and agents run hooks with either. */
const QUOTABLE = /^[A-Za-z]:\\[^"$`%!]*$/

const isOnWindows = ({ start: [program = ''] }: Setup): boolean => program === 'cmd' || WINDOWS_PATH.test(program)

/** Returns a path that the shells of Windows cannot all take as one word; undefined if there is none. */
export const unquotableIn = ({ start }: Setup): string | undefined =>
  start.find((word) => WINDOWS_PATH.test(word) && !QUOTABLE.test(word))

/** Returns a text as one word of a POSIX shell, and of cmd.exe for the paths of Windows. */
const hookWord = (text: string): string => (QUOTABLE.test(text) ? `"${text}"` : shellWord(text))

const powerShellWord = (text: string): string => (/^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`)

/** A hook as Claude Code, Codex, Gemini CLI and Qwen Code have it in their settings. */
export interface HookEvent {
  event: string
  /** The kinds of the event for which it runs; absent for all. */
  matcher?: string
  purpose: string
  /** More fields of the hook. */
  fields?: Readonly<Record<string, unknown>>
}

/** The events of Claude Code, which Codex and Qwen Code have too. Before a compaction, a model may need two minutes. */
export const COMPACTION_EVENTS: readonly HookEvent[] = [
  { event: 'PreCompact', purpose: 'a summary by Précis before each compaction', fields: { timeout: 180 } },
  {
    ...{ event: 'SessionStart', matcher: 'compact' },
    ...{ purpose: 'the model gets the summary after the compaction', fields: { timeout: 30 } },
  },
  { event: 'PostToolUse', purpose: 'the next summary is prepared early', fields: { timeout: 30 } },
  { event: 'Stop', purpose: 'the next summary is prepared early', fields: { timeout: 30 } },
]

interface HookFile {
  file: string
  agent: HookedAgentName
  events: readonly HookEvent[]
  runner?: 'PowerShell'
}

export const hookSettings = (setup: Setup, { file, agent, events, runner }: HookFile): ElementSetting[] =>
  events.map(({ event, matcher, purpose, fields }) => ({
    ...{ kind: 'element', file, path: ['hooks', event], purpose, isOurs: isOurHook },
    value: {
      ...(matcher !== undefined && { matcher }),
      hooks: [{ type: 'command', command: hookCommand(setup, { agent, event, runner }), ...fields }],
    },
  }))

/** Returns whether a hook in the settings of an agent runs Précis at an event that it knows, also from another place. */
export function isOurHook(hook: unknown): boolean {
  const { command } = (hook ?? {}) as { command?: unknown }
  if (typeof command !== 'string') return false
  const [program, words] = splitOnce(command, ' hook ')
  const [first, , ...others] = words.split(' ')
  const [agent = '', event = ''] = first === '--url' ? others : words.split(' ')
  return OUR_PROGRAM.test(program) && isHookedAgent(agent) && Object.hasOwn(hooksOf(agent).events, event)
}

function splitOnce(text: string, mark: string): [before: string, behind: string] {
  const at = text.indexOf(mark)
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + mark.length)]
}
