import type { SummaryKind } from '../model/summarizer.ts'

/**
 * The headings that a summary must have, in their order. A prompt that a client wrote sets its own, or none. The prompt
 * files name the same ones: a test holds that.
 */
export const REQUIRED_SECTIONS = {
  history: [
    '## Goal',
    '## Constraints & Preferences',
    '## Progress',
    '### Done',
    '### In Progress',
    '### Blocked',
    '## Key Decisions',
    '## Next Steps',
    '## Critical Context',
  ],
  'turn-prefix': ['## Original Request', '## Early Progress', '## Context for Suffix'],
  prompt: [],
} as const satisfies Record<SummaryKind, readonly string[]>
