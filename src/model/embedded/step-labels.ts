/** Labels of lines among the next steps, by which they are found again. */
export const STEP_LABELS = {
  /** Where the messages that stay have a newer request. */
  below: '- Do what the user asks in the messages below',
  /** Where they answer the newest request. */
  answered: '- The messages below answer the newest request; what follows is as it was before them:',
  newest: '- Finish the newest request',
  open: '- Finish the request before it, unless the messages below have done so',
  before: '- Asked before it, and not known to be finished: ',
  questioned: '- The request before it, which the agent had answered with a question: ',
  answer: '- Do what the user answered: ',
  stand: "- The agent's last words at work: ",
  unfinished: "- The newest request has an answer, but is not known to be finished. The agent's closing words: ",
  closed: "- The newest request is answered. The agent's closing words: ",
  closedBefore: "- The request before it was answered. The agent's closing words: ",
  unfinishedBefore:
    "- The request before it has an answer, but is not known to be finished. The agent's closing words: ",
  asked: "- It answers the agent's question: ",
  asks: "- The agent waits for the user's answer: ",
  task: '- Go on with the plan: ',
  check: '- Last failed check: ',
  complaints: '- What the last check complains about: ',
  commit: '- Last refused commit: ',
  command: '- Last command, which failed: ',
  edit: '- Last failed edit: ',
  postponed: "- Postponed or to be left, in the user's words (not to be done before its time):",
  left: '- What the agent said to be missing of earlier requests (it may be settled since):',
  older: '- Planned earlier, not confirmed',
  worked: '- Planned earlier, and worked on since (look before doing it again):',
} as const

const { stand, asked, unfinished, closed, closedBefore, unfinishedBefore, asks, postponed, left } = STEP_LABELS
export const CLOSING_LABELS = [unfinished, closed, closedBefore, unfinishedBefore, asks]
const QUOTING = [stand, asked, ...CLOSING_LABELS, postponed, left]

/** Whether a line is a next step with a label. */
export const isStep = (line: string): boolean => Object.values(STEP_LABELS).some((label) => line.startsWith(label))

/** Whether a line quotes words of the agent, or what the user postpones. */
export const isWholeStep = (line: string): boolean => QUOTING.some((label) => line.startsWith(label))

/** The end of the label of what was planned earlier; earlier versions have none. */
export const MAY_BE_OVER = ' (it may be done or dropped since: look before doing it):'

/** The state of a request whose turn goes on after what is summarized. */
export const GOES_ON_BELOW = ' (its turn goes on below)'

/** What a step is for, at its end: the name of the newest request follows. */
export const STEP_FOR = ' (for the newest request: '

const READ_AGAIN = new Set<string>([STEP_LABELS.newest, STEP_LABELS.open, STEP_LABELS.older, STEP_LABELS.worked])

/** Of these lines, each extract has its own. */
export const REWRITTEN = Object.values(STEP_LABELS).filter((label) => !READ_AGAIN.has(label))
