/** The tags by which Gemini CLI recognizes text that it has written itself (November 2026). */
export const GEMINI_TAGS = ['state_snapshot', 'session_context', 'untrusted_context', 'scratchpad', 'hook_context']
