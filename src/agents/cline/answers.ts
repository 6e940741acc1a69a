import { parseFields } from '../../session/entry.ts'
import type { UserAnswer } from '../../session/message.ts'
import { readClineSummary, withoutMentioned } from '../apis/cline-messages.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { asText } from '../shared/values.ts'

const QUESTION_TOOLS = new Set(['ask_followup_question', 'ask_question'])

/** Tools with which the agent ends its turn: the user's next message is in their results. */
const TALK_TOOLS = new Set(['attempt_completion', 'plan_mode_respond'])

/** The elements that have them (Cline, Roo and Kilo). Cline 3.0.65 writes the answer alone. */
const ANSWER_TAGS = ['answer', 'user_message']

/**
 * Tools whose own output always begins with words of the agent, such as `Command executed.`: only the agent can write a result
 * that is nothing else than a refusal. A file that is read and the output of a server can be any text.
 */
const FRAMED_TOOLS = new Set([
  ...['execute_command', 'write_to_file', 'replace_in_file', 'apply_diff', 'insert_content', 'search_and_replace'],
  ...['search_files', 'new_task', 'switch_mode', 'update_todo_list'],
])

/** The texts before the words with which the user refused or accepted a call. */
const LEADS = [
  'The user denied this operation and provided the following feedback:',
  'The user approved this operation and provided the following context:',
  'The user provided the following feedback:',
  'The user has provided feedback on the results. Consider their input to continue the task, and then attempt completion again.',
]

/** Messages of Cline, Roo and Kilo. They mark each summary by a field: the words of one in a notice or an attachment are a tool's. */
export const CLINE_FORM = { readSummary: readClineSummary, readAnswers: readClineAnswers }

/** Returns what the user said in a text of a result of Cline, Roo or Kilo: only if the whole text has the agent's form. */
function readClineAnswers(tool: string, text: string): UserAnswer[] {
  const whole = text.trim()
  const said = QUESTION_TOOLS.has(tool) ? readReply(tool, whole) : undefined
  return saidAlone(said ?? (FRAMED_TOOLS.has(tool) ? readFeedback(whole) : ''))
}

/** Returns the user's next message in a text of a result; undefined for other texts, and for results of other tools. */
export function readNextMessage(tool: string, text: string): string | undefined {
  const whole = withoutMentioned(text.trim())
  return TALK_TOOLS.has(tool) ? readReply(tool, whole) || readFeedback(whole) || undefined : undefined
}

/** Whether the user's next message is in the results of a tool. */
export const isTalkTool = (tool: string): boolean => TALK_TOOLS.has(tool)

function readReply(tool: string, whole: string): string | undefined {
  if (tool === 'ask_question') return whole
  return ANSWER_TAGS.map((tag) => inElement(whole, tag)).find((text) => text !== undefined)
}

function readFeedback(whole: string): string {
  // Roo since native calls: `{"status": "denied", "message": "...", "feedback": "..."}`.
  const { status, feedback } = parseFields(whole)
  if (status === 'denied' || status === 'approved') return asText(feedback)
  const lead = LEADS.find((start) => whole.startsWith(start))
  return (lead === undefined ? undefined : inElement(whole.slice(lead.length).trim(), 'feedback')) ?? ''
}

/** Returns the text of an element that is the whole text. */
function inElement(whole: string, tag: string): string | undefined {
  const [open, close] = [`<${tag}>`, `</${tag}>`]
  return whole.startsWith(open) && whole.endsWith(close) ? whole.slice(open.length, -close.length).trim() : undefined
}
