import { sessionAtPath, type AgentHooks } from '../agent-hooks.ts'

/** The hooks of Qwen Code 0.24.4, which have the names of Claude Code's. It writes a whole summary of its own. */
export const QWEN_HOOKS: AgentHooks = {
  format: 'qwen',
  events: { PreCompact: ['summarize'], SessionStart: ['show'], PostToolUse: ['prepare'], Stop: ['prepare'] },
  context: { maxCharacters: 8500, parts: 1 },
  sessionOf: sessionAtPath,
}
