import { sessionAtPath, type AgentHooks } from '../agent-hooks.ts'

/**
 * The events of extensions of pi 1.5.2 and oh-my-pi 18.2.3: an extension runs the hooks, and gives Claude Code's fields on stdin. The last
 * `turn_end` comes when the answer is in the session file (docs/extensions.md of pi), so pi's `agent_settled` has nothing more.
 */
export const PI_HOOKS: AgentHooks = {
  format: 'pi',
  events: { session_before_compact: ['replace'], turn_end: ['prepare'] },
  isKeeping: true,
  sessionOf: sessionAtPath,
}
