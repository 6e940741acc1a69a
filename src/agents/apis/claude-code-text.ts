import { fieldsOf } from '../../session/entry.ts'
import { textBlocks, type ContentBlock, type Message } from '../../session/message.ts'
import { endOfElement, stripTag, textIn } from '../../text/tagged-text.ts'
import { blockText, clientMessages } from '../shared/messages.ts'
import type { Fields } from '../shared/values.ts'
import { plainText, readAnthropicBlocks } from './anthropic-blocks.ts'

/** The words of Claude Code by which a reader finds a summary, and its beginning and end. */
export const SUMMARY_PREAMBLE = 'This session is being continued from a previous conversation'
export const SUMMARY_START = 'Summary:\n'
export const SUMMARY_END = '\n\nIf you need specific details'

/**
 * Returns the message with a summary, in the words of Claude Code 2.1.330.
 * @param ending where the agent finds details, as the rest of a sentence, and how it continues
 */
export const wrapCompactSummary = (summary: string, ending: string): string =>
  `${SUMMARY_PREAMBLE} that ran out of context. ` +
  `The summary below covers the earlier portion of the conversation.\n\n${SUMMARY_START}${summary}${SUMMARY_END} ${ending}`

/**
 * Returns the summary on a line of a compaction, without the sentences of the client around it; undefined for other lines.
 * Versions before 1.0.60 have no flag, only the first words.
 */
export function readCompactSummary(line: Fields): string | undefined {
  const text = plainText(fieldsOf(line['message'])['content'])
  const isUnmarked = line['isCompactSummary'] !== true
  if (isUnmarked && (!text.startsWith(SUMMARY_PREAMBLE) || isByClient(line))) return undefined
  const start = text.indexOf(SUMMARY_START)
  const end = text.lastIndexOf(SUMMARY_END)
  return text.slice(start < 0 ? 0 : start + SUMMARY_START.length, end > start ? end : undefined).trim()
}

/** Texts that Claude Code writes in the user's role, by their first words (1.0.98 to 2.1.330). */
export const CLAUDE_CODE_TEXTS = [
  ...['<bash-stdout>', '<bash-stderr>', '<task-notification>', '[Request interrupted by user'],
  ...['<user-prompt-submit-hook>', 'Stop hook feedback:', '<teammate-message', '<agent-message'],
  // Messages of other sessions and of channels: the client writes sentences after some of them.
  ...['<cross-session-message', 'Another Claude session sent a message:\n<', '<channel source='],
]

/**
 * Tags of text that the client writes at the beginning of a block. What follows the element is the user's, and so is a tag within
 * his own words: `<channel>` is one of RSS too.
 */
export const CLIENT_TAGS = [
  ...[
    'channel',
    'tick',
    'agent-notification',
    'remote-review',
    'fork-boilerplate',
    'mcp-resource',
    'mcp-resource-update',
  ],
  ...['mcp-polling-update', 'command-contents', 'session-start-hook', 'persisted-output', 'tool_use_error'],
]

/** The same, without content for a model. */
const CLIENT_NOISE = [
  '<local-command-caveat>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  'Caveat: The messages',
]

/**
 * Returns the messages of a line of the role `user`, without its tool results: what the user wrote or ran, and what the
 * client wrote in the user's role (`custom`).
 */
export function readUserMessages(
  line: Fields,
  blocks: readonly ContentBlock[],
  attached: ReadonlySet<ContentBlock>,
): Message[] {
  const clients: ContentBlock[] = []
  const content: ContentBlock[] = []
  for (const block of blocks) {
    const { client, own } = attached.has(block) ? { client: [block], own: [] } : splitBlock(block)
    clients.push(...client)
    content.push(...own)
  }
  return [...readWords(line, content), ...clientMessages(clients)]
}

/** Returns what the client wrote at the beginning of a block, and the rest of it, without reminders. */
function splitBlock(block: ContentBlock): { client: ContentBlock[]; own: ContentBlock[] } {
  if (block.type !== 'text') return { client: [], own: [block] }
  const { client, own } = splitClientText(block.text)
  return { client, own: own.flatMap(withoutReminders) }
}

/** Returns what the client wrote at the beginning of a text of the role `user`, and the rest of it. */
export function splitClientText(text: string): { client: ContentBlock[]; own: ContentBlock[] } {
  const trimmed = text.trimStart()
  const end = endOfElement(trimmed, CLIENT_TAGS)
  if (end === 0) return { client: [], own: textBlocks(text) }
  return { client: textBlocks(trimmed.slice(0, end)), own: textBlocks(trimmed.slice(end).trimStart()) }
}

function readWords(line: Fields, content: ContentBlock[]): Message[] {
  if (content.length === 0) return []
  const first = blockText(content.find((block) => block.type === 'text')).trimStart()
  if (CLIENT_NOISE.some((start) => first.startsWith(start))) return []
  const command = textIn(first, 'bash-input')
  if (command !== undefined) return [{ role: 'bashExecution', command: command.trim(), output: '', cancelled: false }]
  if (isClientText(line, first)) return [{ role: 'custom', content }]
  // Older versions: what the user wrote after `#`, to be remembered.
  const memory = textIn(first, 'user-memory-input')
  if (first.startsWith('<user-memory-input>') && memory !== undefined)
    return [{ role: 'user', content: textBlocks(memory.trim()) }]
  // Commands with a prompt begin with their message; those that the client runs itself (`/clear`) begin with their name.
  const isPrompt = first.startsWith('<command-message>')
  if (!isPrompt && !first.startsWith('<command-name>')) return [{ role: 'user', content }]
  const words = textIn(first, 'command-args')?.trim() ?? ''
  const name = textIn(first, 'command-name')?.trim() ?? ''
  return words === '' && !isPrompt ? [] : [{ role: 'user', content: textBlocks(`${name} ${words}`.trim()) }]
}

/** Whether a line, or its attachment, says itself that no user wrote it: `sourceToolUseID` names a call of the agent, such as that of a skill. */
const isByClient = (line: Fields): boolean =>
  line['isMeta'] === true ||
  line['isVisibleInTranscriptOnly'] === true ||
  line['promptSource'] === 'system' ||
  line['sourceToolUseID'] !== undefined ||
  !isHuman(line['origin'])

function isClientText(line: Fields, text: string): boolean {
  if (isByClient(line)) return true
  return CLAUDE_CODE_TEXTS.some((start) => text.startsWith(start))
}

/**
 * Returns the messages of a prompt that the user sent while the agent was working, a text or blocks; none for other attachments,
 * which are context that the client adds. Any mode but this one is a prompt, and it may be missing (Claude Code 2.1.330).
 */
export function readQueuedPrompt(line: Fields): Message[] {
  const attachment = fieldsOf(line['attachment'])
  const { type, prompt, commandMode } = attachment
  if (type !== 'queued_command' || commandMode === 'task-notification' || isByClient(attachment)) return []
  const { blocks, attached } = readAnthropicBlocks(prompt)
  const messages = readUserMessages(attachment, blocks, attached)
  return messages.some(({ role }) => role === 'user') ? messages : []
}

/** Returns whether a message comes from a person: most have no origin. */
function isHuman(origin: unknown): boolean {
  const { kind = 'human' } = fieldsOf(origin)
  return kind === 'human' || kind === 'user'
}

/** Whether a block is a reminder of the client. What it quotes, such as a file, may have its closing tag too. */
export const isReminder = (block: ContentBlock): boolean =>
  block.type === 'text' && isElement(block.text.trim(), 'system-reminder')

function withoutReminders(block: ContentBlock): ContentBlock[] {
  if (block.type !== 'text') return [block]
  if (isReminder(block)) return []
  const text = stripTag(block.text, 'system-reminder')
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

const isElement = (text: string, tag: string): boolean => endOfElement(text, [tag]) === text.length
