import type { AgentHooks } from '../agent-hooks.ts'

/** The hooks of opencode 1.18.33: a plugin runs them, and gives `sessionID` on stdin. */
export const OPENCODE_HOOKS: AgentHooks = {
  format: 'opencode',
  events: { 'experimental.session.compacting': ['add'], 'session.idle': ['prepare'] },
  context: { maxCharacters: 40_000, parts: 1 },
  sessionOf: ({ sessionID: id }) => (typeof id === 'string' && /^ses_\w{1,100}$/.test(id) ? { id } : undefined),
}
