import type { AgentHooks } from '../agent-hooks.ts'
import { sessionAtPath } from '../shared/hooked-session.ts'

/** The events of extensions of pi 1.5.2: an extension runs the hooks, and gives Claude Code's fields on stdin. */
export const PI_HOOKS: AgentHooks = {
  format: 'pi',
  events: { session_before_compact: ['replace'], agent_settled: ['prepare'], turn_end: ['prepare'] },
  isKeeping: true,
  sessionOf: sessionAtPath,
}

/** oh-my-pi 18.2.3 has the same events, but for `agent_settled`. */
export const OH_MY_PI_HOOKS: AgentHooks = {
  ...PI_HOOKS,
  events: { session_before_compact: ['replace'], turn_end: ['prepare'] },
}
