import { join } from 'node:path'
import type { FormatId } from '../schemas/format.ts'
import { fieldsOf } from '../session/entry.ts'
import { CLINE_HOME } from './cline/home.ts'
import type { Machine } from './home.ts'
import type { Fields } from './shared/values.ts'

/**
 * What `precis hook` does at an event of an agent:
 * - `summarize`: before a compaction, writes a summary and keeps it for `show`;
 * - `show`: after a compaction, prints the first part of it as context for the model;
 * - `show-rest`: prints the next part, if the first one was shown;
 * - `replace`: prints the compaction itself, which the agent uses instead of its own;
 * - `add`: prints a summary that the agent adds to the prompt of its own;
 * - `prepare`: has a model write the summary in the background, before it is needed;
 * - `remind`: after a compaction, prints how the model can look things up.
 */
export type HookAction = 'summarize' | 'show' | 'show-rest' | 'replace' | 'add' | 'prepare' | 'remind'

/** The session of an event: a file, or an id that the agent's own command exports. */
export interface HookedSession {
  id: string
  /** Absent for agents with a database. */
  path?: string
}

/** What an agent's hooks can do. */
export interface AgentHooks {
  format: FormatId
  /** The events that do something, as the agent spells them. */
  events: Readonly<Record<string, readonly HookAction[]>>
  /** Which part of a summary one hook can show, and how many hooks show one; absent: none can. */
  context?: { maxCharacters: number; parts: number }
  /** What the agent's own summary is to be, if Précis has written one: the hook before the compaction prints it. */
  instructions?: string
  /** Whether a compaction keeps the newest messages, as `precis compact` does; others keep none. */
  isKeeping?: true
  sessionOf: (input: Fields, machine: Pick<Machine, 'env' | 'home'>) => HookedSession | undefined
}

/** Returns the session of an event whose input has Claude Code's fields. */
function sessionAtPath({ session_id: id, transcript_path: path }: Fields): HookedSession | undefined {
  return typeof path === 'string' && path !== '' ? { id: typeof id === 'string' ? id : path, path } : undefined
}

/**
 * The hooks of Claude Code 2.1.330. It cuts the output of a hook at 10,000 characters, and no hook can replace its own summary:
 * its hook before a compaction can only add to the instructions for it.
 */
const CLAUDE_CODE_HOOKS: AgentHooks = {
  format: 'claude-code',
  events: {
    PreCompact: ['summarize'],
    SessionStart: ['show'],
    UserPromptSubmit: ['show-rest'],
    PostToolUse: ['show-rest', 'prepare'],
    Stop: ['prepare'],
  },
  context: { maxCharacters: 8800, parts: 3 },
  instructions:
    'Write at most ten lines: what the newest messages say, and what you are about to do. A summary of everything before them ' +
    'follows after the compaction.',
  sessionOf: sessionAtPath,
}

/** The hooks of Codex 0.169.0. It cuts the output of a hook at about 2,500 tokens, and writes a whole summary of its own. */
const CODEX_HOOKS: AgentHooks = {
  format: 'codex',
  events: { PreCompact: ['summarize'], SessionStart: ['show'], PostToolUse: ['prepare'], Stop: ['prepare'] },
  context: { maxCharacters: 8500, parts: 1 },
  sessionOf: sessionAtPath,
}

/**
 * The hooks of Gemini CLI 0.61.0. Its `PreCompress` comes before every call of the model, and no event comes after a compaction:
 * only its session file shows that there was one.
 */
const GEMINI_HOOKS: AgentHooks = {
  format: 'gemini',
  events: { BeforeAgent: ['remind'], AfterAgent: ['prepare'] },
  isKeeping: true,
  sessionOf: sessionAtPath,
}

/** The hooks of Qwen Code 0.24.4, which has the same events as Codex. It writes a whole summary of its own, too. */
const QWEN_HOOKS: AgentHooks = { ...CODEX_HOOKS, format: 'qwen' }

/** The hooks of opencode 1.18.33: a plugin runs them, and gives `sessionID` on stdin. */
const OPENCODE_HOOKS: AgentHooks = {
  format: 'opencode',
  events: { 'experimental.session.compacting': ['add'], 'session.idle': ['prepare'] },
  context: { maxCharacters: 40_000, parts: 1 },
  sessionOf: ({ sessionID: id }) => (typeof id === 'string' && /^ses_\w{1,100}$/.test(id) ? { id } : undefined),
}

/** The hooks of Cline 3.0.65: executables that are named by their events. Their input names no file, and none came at a compaction. */
const CLINE_HOOKS: AgentHooks = {
  format: 'cline',
  events: { PostToolUse: ['prepare'], TaskComplete: ['prepare'] },
  isKeeping: true,
  sessionOf: ({ sessionContext }, { env, home }) => {
    const id = fieldsOf(sessionContext)['rootSessionId']
    if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) return undefined
    return { id, path: join(CLINE_HOME.root({ env, home, folder: home }), id, `${id}.messages.json`) }
  },
}

/**
 * The events of extensions of pi 1.5.2 and oh-my-pi 18.2.3: an extension runs the hooks, and gives Claude Code's fields on stdin. The last
 * `turn_end` comes when the answer is in the session file (docs/extensions.md of pi), so pi's `agent_settled` has nothing more.
 */
const PI_HOOKS: AgentHooks = {
  format: 'pi',
  events: { session_before_compact: ['replace'], turn_end: ['prepare'] },
  isKeeping: true,
  sessionOf: sessionAtPath,
}

/**
 * The hooks of all agents that have usable ones, by the names that `precis hook` knows. They are beside the records, since most
 * events load nothing else. The compiler names one that an installation uses and that is missing here.
 */
export const AGENT_HOOKS = {
  'claude-code': CLAUDE_CODE_HOOKS,
  codex: CODEX_HOOKS,
  gemini: GEMINI_HOOKS,
  qwen: QWEN_HOOKS,
  opencode: OPENCODE_HOOKS,
  cline: CLINE_HOOKS,
  pi: PI_HOOKS,
  'oh-my-pi': PI_HOOKS,
} as const satisfies Readonly<Record<string, AgentHooks>>

export type HookedAgentName = keyof typeof AGENT_HOOKS

export const isHookedAgent = (name: string): name is HookedAgentName => Object.hasOwn(AGENT_HOOKS, name)

/** Returns the hooks of an agent with one type for all. */
export const hooksOf = (name: HookedAgentName): AgentHooks => AGENT_HOOKS[name]
