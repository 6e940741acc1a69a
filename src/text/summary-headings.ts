/** A name of its own: the page needs no other one. */
export const CONSTRAINTS_HEADING = '## Constraints & Preferences'

/**
 * The headings of summaries: each is spelled here and nowhere else in the code. The prompt files name the same ones
 * (test/prompt/templates.test.ts compares them).
 */
export const HEADINGS = {
  goal: '## Goal',
  constraints: CONSTRAINTS_HEADING,
  progress: '## Progress',
  done: '### Done',
  inProgress: '### In Progress',
  pending: '### Pending',
  blocked: '### Blocked',
  state: '## State of the Code',
  decisions: '## Key Decisions',
  nextSteps: '## Next Steps',
  context: '## Critical Context',
  originalRequest: '## Original Request',
  earlyProgress: '## Early Progress',
  contextForSuffix: '## Context for Suffix',
  /** Written by code only, after the sections of the model: the user's messages, word for word. */
  userMessages: '## User Messages',
  /** Written by code only, after all other sections but the next one. */
  evidence: '## Evidence',
  /** Written by code only, and only if the request asks for it: the last section. */
  lookingUp: '## Looking things up',
} as const

/** The text of a section that has no content, as the prompts ask for it. */
export const NO_CONTENT = '(none)'

const NOTHING = /^(?:[-*]\s*)?\(?(?:none|n\/a|nothing)\)?\.?$/i

/** Whether a line only says that its section has no content: `(none)`, or another spelling that models use. */
export const saysNothing = (line: string): boolean => NOTHING.test(line.trim())

/** The text in place of the history of a split turn without history (planning rule 8). */
export const NO_PRIOR_HISTORY = 'No prior history.'

/** The label between the two summaries of a split turn (planning rule 8). */
export const TURN_CONTEXT_LABEL = '**Turn Context (split turn):**'

/** What stands below that label: a model that has summarized the history did not know the turn. */
export const TURN_CONTEXT_NOTE =
  '(Newer than all above: the goal, the work in progress and the next steps above are those before this request, but for what names it. What is said below not to be known, asked or found out may stand above.)'

/** How the note began in each version. */
export const TURN_CONTEXT_NOTE_START = '(Newer than all above: '

/** The labels of requests in a goal that the embedded summarizer writes, so that it finds the requests again. */
export const GOAL_LABELS = {
  first: 'First request:',
  newest: 'Newest request:',
  /** The newest request of the history, if the beginning of a newer turn follows. */
  before: 'Request before the current one:',
  earlier: 'Earlier goal:',
} as const
