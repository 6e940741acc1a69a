import { sessionAtPath, type AgentHooks } from '../agent-hooks.ts'

/**
 * The hooks of Gemini CLI 0.61.0. Its `PreCompress` comes before every call of the model, and no event comes after a compaction:
 * only its session file shows that there was one.
 */
export const GEMINI_HOOKS: AgentHooks = {
  format: 'gemini',
  events: { BeforeAgent: ['remind'], AfterAgent: ['prepare'] },
  isKeeping: true,
  sessionOf: sessionAtPath,
}
