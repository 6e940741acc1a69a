import { fieldsOf, isObject, parseFields } from '../../session/entry.ts'
import { readResultHead } from '../../session/message-text.ts'
import { endOfElement, stripTag, textIn } from '../../text/tagged-text.ts'
import { modelFact, type AnswerFacts } from '../shared/messages.ts'
import { asText, countsOf, type Fields } from '../shared/values.ts'
import { plainText } from './anthropic-blocks.ts'
import { CLAUDE_CODE_TEXTS } from './claude-code-text.ts'

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

/** The heading of Roo over a summary (3.47). */
export const ROO_SUMMARY = '## Conversation Summary\n'

/** Returns the summary in a message that a compaction has written; undefined for other messages. */
export function readClineSummary(message: Fields): string | undefined {
  const { kind, summary } = fieldsOf(message['metadata'])
  if (kind !== 'compaction_summary' && message['isSummary'] !== true) return undefined
  if (asText(summary) !== '') return asText(summary)
  const { content } = message
  const text = plainText(Array.isArray(content) ? content.filter(isOfSummary) : content)
  const lead = [CONTEXT_SUMMARY, ROO_SUMMARY].find((start) => text.startsWith(start)) ?? ''
  return lead === '' ? text : text.slice(lead.length).trim()
}

/** Whether a block beside a summary is a part of it: Roo adds its reasoning, outlines of files, bodies of commands and the environment. */
function isOfSummary(block: unknown): boolean {
  const { type, text } = fieldsOf(block)
  return type === 'text' && !/^\s{0,20}<(?:system-reminder|environment_details)>/.test(asText(text))
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
  ...CLAUDE_CODE_TEXTS,
  ...['<local-command-', '<command-name>', '<command-message>', 'Caveat: The messages below'],
  'CRITICAL: Respond with TEXT ONLY.',
  ...['Command is still running in the', 'Files attached by the user:\n\n<file_content '],
]

/** The same, whose first words a user may write too: around the words of the model or of a file (Cline, Roo and Kilo). */
const CLIENT_PATTERNS = [
  // A call that did not run, in the words of the model. Newer versions of Cline have it at the end.
  /^(?:Skipping (?:MCP )?tool|(?:MCP t|T)ool) (?=[^]*(?:due to user rejecting a previous tool|was not executed because a tool has already been used))/,
  // The list of tasks of the model
  /^# (?:TODO LIST UPDATE REQUIRED|task_progress(?: RECOMMENDED| CREATION REQUIRED| List \(Optional|\n\nYou've made ))/,
  // A file or a folder that the user has named, since it is a block of its own
  /^\[read_file for (?:folder )?'[^\n]*'\]\n(?:File: |Note: |Error: |IMPORTANT: |Folder listing:)/,
  // The result of a task that the model has given to another one
  /^Subtask \S{1,100} completed\.\n\nResult:\n/,
]

/** Returns whether Cline, or a client that follows it, has written a text of the role `user`. */
const isClientText = (text: string): boolean =>
  CLIENT_TEXTS.some((start) => text.startsWith(start)) ||
  CLIENT_PATTERNS.some((pattern) => pattern.test(text)) ||
  readResultHead(text) !== undefined

/** The text that Cline writes when a task continues; the user's message follows in an element, or in the next block. */
const RESUMPTIONS = ['[TASK RESUMPTION] ', 'New message to respond to']

/** The beginnings of what Cline and Roo add to a text that names files, pages, commands and other sources: below it, or in a block. */
const MENTIONED =
  /(?:^|\n\n)<((?:file|folder|url)_content|git_commit|git_working_state|workspace_diagnostics|terminal_output|command(?= name="))[ >]/

/** Returns a text of a user's message without Cline's tags, and whether the client wrote it. */
export function readClineText(text: string): { text: string; isClients: boolean } {
  const whole = text.trim()
  // Commands that are still running are in the details, and their output may have any tag.
  if (whole.startsWith('<environment_details>')) return { text: '', isClients: true }
  const own = withoutDetails(withoutCommand(withoutNotices(whole)))
  if (RESUMPTIONS.some((start) => own.startsWith(start))) return readResumption(own)
  const isClients = isClientText(whole) || isClientText(own)
  const tag = SAID_TAGS.find((one) => own.startsWith(`<${one}>`))
  if (tag !== undefined) return { text: textIn(own, tag)?.trim() ?? own, isClients }
  if (FEEDBACK_LEADS.some((start) => own.startsWith(start))) return readSaid(own, 'feedback')
  // The words of the user where the agent has failed too often (Roo, since native calls)
  if (own.startsWith('{"status":"guidance",')) return { text: asText(parseFields(own)['feedback']) || own, isClients }
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
  return withoutMentioned(own)
}

/** Returns a text without what the client has added for the files, pages and commands that it names. */
export function withoutMentioned(text: string): string {
  const mentioned = MENTIONED.exec(text)
  if (mentioned === null) return text
  const { index, 1: tag = '' } = mentioned
  return index > 0 ? text.slice(0, index) : text.slice(endOfElement(text, [tag])).trim()
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
