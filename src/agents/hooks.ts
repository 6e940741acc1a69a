import type { AgentHooks } from './agent-hooks.ts'
import { CLAUDE_CODE_HOOKS } from './claude-code/hooks.ts'
import { CLINE_HOOKS } from './cline/hooks.ts'
import { CODEX_HOOKS } from './codex/hooks.ts'
import { GEMINI_HOOKS } from './gemini/hooks.ts'
import { OPENCODE_HOOKS } from './opencode/hooks.ts'
import { PI_HOOKS } from './pi/hooks.ts'
import { QWEN_HOOKS } from './qwen/hooks.ts'

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
