/** Labels of lines among the next steps, by which they are found again. */
export const STEP_LABELS = {
  /** Where the messages that stay have a newer request. */
  below: '- Do what the user asks in the messages below',
  /** Where they answer the newest request. */
  answered: '- The messages below answer the newest request; what follows is as it was before them:',
  newest: '- Finish the newest request',
  open: '- Finish the request before it, unless the messages below have done so',
  before: '- Finish what was asked before it: ',
  answer: '- Do what the user answered: ',
  stand: '- Go on where the agent was: ',
  task: '- Go on with the plan: ',
  left: '- Do what the agent has left: ',
  check: '- Last failed check: ',
  complaints: '- What the last check complains about: ',
  commit: '- Last refused commit: ',
  command: '- Last command, which failed: ',
  edit: '- Last failed edit: ',
  older: '- Planned earlier, not confirmed:',
  worked: '- Planned earlier, and worked on since (look before doing it again):',
} as const

/** Whether a line has words of the agent to go on from. */
export const isWholeStep = (line: string): boolean =>
  line.startsWith(STEP_LABELS.stand) || line.startsWith(STEP_LABELS.left)

/** The state of a request whose turn goes on after what is summarized. */
export const GOES_ON_BELOW = ' (its turn goes on below)'

/** What a step is for, at its end: the name of the newest request follows. */
export const STEP_FOR = ' (for the newest request: '

/** What the agent had asked before the newest request: a line below that. */
export const ASKED_BEFORE = '  - The agent had asked: '

const READ_AGAIN = new Set<string>([STEP_LABELS.newest, STEP_LABELS.open, STEP_LABELS.older, STEP_LABELS.worked])

/** Of these lines, each extract has its own. */
export const REWRITTEN = Object.values(STEP_LABELS).filter((label) => !READ_AGAIN.has(label))
