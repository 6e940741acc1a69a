import { removeBlocks } from '../text/find-in-text.ts'
import { textOf, type ContentBlock, type Message } from '../session/message.ts'

/**
 * Returns the user's own words in a message; undefined for messages of others and without such words (an image, a reminder
 * that the agent wrote).
 */
export function readUserText(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = AGENT_TAGS.reduce(withoutTag, withoutIdeContext(textOf(message.content))).trim()
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined
}

/** Tags of text that agents add to a user's message: reminders, the environment, and the output of hooks and commands. */
const AGENT_TAGS = [
  // Claude Code, and agents that follow it
  ...['system-reminder', 'user-prompt-submit-hook', 'session-start-hook', 'task-notification'],
  ...['ide_selection', 'ide_opened_file', 'ide_diagnostics', 'new-diagnostics'],
  ...['local-command-caveat', 'local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'],
  // Codex
  ...['environment_context', 'user_instructions', 'user_shell_command', 'subagent_notification'],
  // Cline, Roo and Kilo
  'environment_details',
]

/**
 * Returns what a client has added to a conversation, such as a skill; without what Codex (0.120 and 0.169) writes into each
 * context, and again after a compaction (the instructions of the project, and the environment), and without tags of agents.
 */
export const readClientText = (content: readonly ContentBlock[]): string =>
  AGENT_TAGS.reduce(withoutTag, textOf(content.filter((block) => !CODEX_CONTEXT.test(textOf([block])))))

const CODEX_CONTEXT =
  /^(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|permissions instructions|skills_instructions|recommended_plugins)>)/

/** The first and the last heading of what Codex' extension for an IDE writes before a request (November 2026). */
const IDE_CONTEXT = '# Context from my IDE setup:'
const IDE_REQUEST = '## My request for Codex:'

/** Returns a request without the context of an IDE: it quotes text of files, which may have the last heading too. */
function withoutIdeContext(text: string): string {
  if (!text.trimStart().startsWith(IDE_CONTEXT)) return text
  const at = text.lastIndexOf(`\n${IDE_REQUEST}`)
  return at < 0 ? '' : text.slice(at + 1 + IDE_REQUEST.length)
}

/**
 * Returns a text without the elements of a tag. A closing tag without an opening one belongs to the element before it:
 * what the agent quotes there may have a closing tag too.
 */
function withoutTag(text: string, tag: string): string {
  if (!text.includes(`</${tag}>`)) return text
  const elements: { start: number; end: number }[] = []
  let start = -1
  for (const { index, 0: mark } of text.matchAll(new RegExp(`</?${tag}>`, 'g'))) {
    const isClosing = mark.startsWith('</')
    const last = elements.at(-1)
    if (!isClosing) start = start < 0 ? index : start
    else if (start >= 0) elements.push({ start, end: index + mark.length })
    else if (last !== undefined) last.end = index + mark.length
    if (isClosing) start = -1
  }
  return removeBlocks(text, elements)
}
