import { sessionAtPath, type AgentHooks } from '../agent-hooks.ts'

/** The hooks of Codex 0.169.0. It cuts the output of a hook at about 2,500 tokens, and writes a whole summary of its own. */
export const CODEX_HOOKS: AgentHooks = {
  format: 'codex',
  events: { PreCompact: ['summarize'], SessionStart: ['show'], PostToolUse: ['prepare'], Stop: ['prepare'] },
  context: { maxCharacters: 8500, parts: 1 },
  sessionOf: sessionAtPath,
}
