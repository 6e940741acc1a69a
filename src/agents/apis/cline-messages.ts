import { fieldsOf, isObject } from '../../session/entry.ts'
import { readResultHead } from '../../session/result-head.ts'
import { stripTag, textIn } from '../../text/tagged-text.ts'
import { modelFact, type AnswerFacts } from '../shared/messages.ts'
import { asText, countsOf, type Fields } from '../shared/values.ts'
import { plainText } from './anthropic-blocks.ts'

const isMessage = (value: unknown): value is Fields => isObject(value) && typeof value['role'] === 'string'

/** Returns whether a value is a message of Cline's SDK format (3.0.65). */
export function isClineMessage(value: unknown): boolean {
  if (!isMessage(value)) return false
  if (fieldsOf(value['metadata'])['kind'] === 'compaction_summary') return true
  return typeof value['id'] === 'string' && typeof value['ts'] === 'number'
}

/** Returns whether a value is a message of `api_conversation_history.json` (Cline before 3.x, Roo, Kilo). */
export const isLegacyMessage = (value: unknown): boolean =>
  isMessage(value) &&
  (typeof value['ts'] === 'number' || value['isSummary'] === true || plainText(value['content']).startsWith('<task>'))

/** The words of Cline before a summary. */
export const CONTEXT_SUMMARY = 'Context summary:'

/** Returns the summary in a message that a compaction has written; undefined for other messages. */
export function readClineSummary(message: Fields): string | undefined {
  const { kind, summary } = fieldsOf(message['metadata'])
  const text = plainText(message['content'])
  if (kind !== 'compaction_summary' && message['isSummary'] !== true) return undefined
  if (asText(summary) !== '') return asText(summary)
  return text.startsWith(CONTEXT_SUMMARY) ? text.slice(CONTEXT_SUMMARY.length).trim() : text
}

/** Whether Cline wrote a message in the user's role (SDK): such as what a hook adds. Its compactions keep messages of the user. */
export function isOfClient({ metadata }: Fields): boolean {
  const { displayRole, kind } = fieldsOf(metadata)
  return displayRole === 'system' && kind !== 'compaction'
}

/** Texts that Cline and Claude Code write in the user's role, by their first words. */
const CLIENT_TEXTS = [
  ...['[ERROR] You did not use a tool', '<SYSTEM_NOTICE>', '# Todo List', '<system-reminder>'],
  // Claude Code, in its requests
  ...['<local-command-', '<command-name>', '<command-message>', '<bash-stdout>', '<task-notification>'],
  ...['[Request interrupted by user', 'Caveat: The messages below', 'CRITICAL: Respond with TEXT ONLY.'],
  ...['<user-prompt-submit-hook>', '<bash-stderr>', 'Stop hook feedback:', '<teammate-message', '<agent-message'],
  ...['<cross-session-message', 'Another Claude session sent a message:\n<', '<channel source='],
  ...['Command is still running in the', 'Files attached by the user:\n\n<file_content '],
]

/** The text that Cline writes when a task continues; the user's message follows in an element, or in the next block. */
const RESUMPTIONS = ['[TASK RESUMPTION] ', 'New message to respond to']

/** The beginnings of what Cline adds below a text that names files, pages and other sources with `@`. */
const MENTIONED =
  /\n\n<(?:file_content|folder_content|url_content|git_commit|git_working_state|workspace_diagnostics|terminal_output)[ >]/

/** Returns a text of a user's message without Cline's tags, and whether the client wrote it. */
export function readClineText(text: string): { text: string; isClients: boolean } {
  const whole = text.trim()
  // Commands that are still running are in the details, and their output may have any tag.
  if (whole.startsWith('<environment_details>')) return { text: '', isClients: true }
  const own = withoutDetails(withoutCommand(withoutNotices(whole)))
  if (RESUMPTIONS.some((start) => own.startsWith(start))) return readResumption(own)
  const isClients = CLIENT_TEXTS.some((start) => own.startsWith(start)) || readResultHead(own) !== undefined
  const tag = SAID_TAGS.find((one) => own.startsWith(`<${one}>`))
  if (tag !== undefined) return { text: textIn(own, tag)?.trim() ?? own, isClients }
  if (FEEDBACK_LEADS.some((start) => own.startsWith(start))) return readSaid(own, 'feedback')
  const input = USER_INPUT.exec(own)
  if (input === null) return { text: own, isClients }
  const end = own.search(input[1] === 'user_input' ? USER_INPUT_END : USER_COMMAND_END)
  return { text: withoutNotices(own.slice(input[0].length, end < 0 ? undefined : end).trim()), isClients }
}

/** How Cline's SDK wraps what the user types, and what it answers to a command such as `/team`. */
const USER_INPUT = /^<(user_input|user_command)\b[^<>]{0,200}>/

/** The client's addition below is an element too. It removes whole elements of these names from what the user types. */
const USER_INPUT_END = /<\/user_input>(?=\s*(?:<|$))/
const USER_COMMAND_END = /<\/user_command>(?=\s*(?:<|$))/

/** The elements that have a message of the user. */
const SAID_TAGS = ['task', 'feedback', 'user_message']

/** The text that the client writes before them, or alone. */
const FEEDBACK_LEADS = [
  'The user has provided feedback on the results. Consider their input',
  'You seem to be having trouble proceeding. The user has provided the following feedback',
]

/** Returns a text without the notices of a change of the mode before it, in which a user writes nothing. */
function withoutNotices(text: string): string {
  const notice = /^<mode_notice>[^<]{0,500}<\/mode_notice>/.exec(text)
  return notice === null ? text : text.slice(notice[0].length).trim()
}

/** Returns a text without the instructions that stand for a command such as `/newtask`; they quote no output of a tool. */
function withoutCommand(text: string): string {
  if (!text.startsWith('<explicit_instructions')) return text
  const end = text.indexOf('</explicit_instructions>')
  return end < 0 ? text : text.slice(end + '</explicit_instructions>'.length).trim()
}

function readResumption(own: string): { text: string; isClients: boolean } {
  return own.endsWith('</user_message>') ? readSaid(own, 'user_message') : { text: own, isClients: true }
}

/** Returns what the user says in an element of a text that the client wrote. */
function readSaid(own: string, tag: string): { text: string; isClients: boolean } {
  const said = textIn(own, tag)?.trim()
  return { text: said ?? own, isClients: said === undefined }
}

/** Returns a text up to what the client has added at its end. */
function withoutDetails(text: string): string {
  const details = text.endsWith('</environment_details>') ? text.indexOf('<environment_details>') : -1
  const own = stripTag(details < 0 ? text : text.slice(0, details), 'environment_details').trim()
  const mentioned = MENTIONED.exec(own)
  return mentioned === null ? own : own.slice(0, mentioned.index)
}

/** Returns the model and the usage of an answer; the input of `metrics` counts cached tokens too. */
export function describeClineAnswer({ modelInfo, metrics }: Fields): AnswerFacts {
  const { id: model } = fieldsOf(modelInfo)
  const count = countsOf(metrics)
  const [cacheRead, cacheWrite] = [count('cacheReadTokens'), count('cacheWriteTokens')]
  const input = Math.max(0, count('inputTokens') - cacheRead - cacheWrite)
  return {
    ...modelFact(model),
    ...(isObject(metrics) ? { usage: { input, output: count('outputTokens'), cacheRead, cacheWrite } } : {}),
  }
}
