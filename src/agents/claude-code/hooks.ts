import { sessionAtPath, type AgentHooks } from '../agent-hooks.ts'

/**
 * The hooks of Claude Code 2.1.330. It cuts the output of a hook at 10,000 characters, and no hook can replace its own summary:
 * its hook before a compaction can only add to the instructions for it.
 */
export const CLAUDE_CODE_HOOKS: AgentHooks = {
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
