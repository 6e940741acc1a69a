import type { SummaryKind } from '../model/summarizer.ts'

const PROGRESS = ['## Progress', '### Done', '### In Progress'] as const
const BEFORE_PROGRESS = ['## Goal', '## Constraints & Preferences'] as const
const AFTER_PROGRESS = ['### Blocked', '## Key Decisions', '## Next Steps', '## Critical Context'] as const
const SECTIONS = [...BEFORE_PROGRESS, ...PROGRESS, ...AFTER_PROGRESS] as const

/**
 * The headings that a summary must have, in their order. A continuation prompt has none, and a prompt that a client
 * wrote sets its own. The prompt files name the same ones: a test holds that.
 */
export const REQUIRED_SECTIONS = {
  history: SECTIONS,
  'turn-prefix': ['## Original Request', '## Early Progress', '## Context for Suffix'],
  continuation: [],
  branch: SECTIONS,
  handoff: [...BEFORE_PROGRESS, ...PROGRESS, '### Pending', ...AFTER_PROGRESS],
  prompt: [],
} as const satisfies Record<SummaryKind, readonly string[]>
