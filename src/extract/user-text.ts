import { textOf, type ContentBlock, type Message } from '../session/message.ts'
import { stripTag } from '../text/tagged-text.ts'

/**
 * Returns the user's own words in a message; undefined for messages of others and without such words (an image, a reminder
 * that the agent wrote).
 */
export function readUserText(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = AGENT_TAGS.reduce(stripTag, withoutIdeContext(textOf(message.content))).trim()
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined
}

/** Tags of text that agents add to a user's message: reminders, the environment, and the output of hooks and commands. */
const AGENT_TAGS = [
  // Claude Code, and agents that follow it
  ...['system-reminder', 'user-prompt-submit-hook', 'session-start-hook', 'task-notification'],
  ...['ide_selection', 'ide_opened_file', 'ide_diagnostics', 'new-diagnostics'],
  ...['cross-session-message', 'teammate-message', 'agent-message', 'agent-notification'],
  ...['local-command-caveat', 'local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'],
  // Codex
  ...['environment_context', 'user_instructions', 'user_shell_command', 'subagent_notification'],
  // Cline, Roo and Kilo; Cline and Gemini CLI; Gemini CLI; Goose (block/goose, `crates/goose/src/agents/moim.rs`); OpenHands
  ...['environment_details', 'hook_context', 'background_output', 'info-msg', 'EXTRA_INFO'],
]

/**
 * Returns what a client has added to a conversation, such as a skill; without what Codex (0.120 and 0.169) writes into each
 * context, and again after a compaction (the instructions of the project, and the environment), and without tags of agents.
 */
export const readClientText = (content: readonly ContentBlock[]): string =>
  AGENT_TAGS.reduce(stripTag, textOf(content.filter((block) => !CODEX_CONTEXT.test(textOf([block])))))

const CODEX_CONTEXT =
  /^(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|permissions instructions|skills_instructions|recommended_plugins)>)/

/** The first headings of what Codex' extension for an IDE writes before a request, and the last one (November 2026). */
const IDE_CONTEXTS = ['# Context from my IDE setup:', '# Files mentioned by the user:']
const IDE_REQUESTS = ['\n## My request for Codex:', '\n## My request:']

/** Returns a request without the context of an IDE: it quotes text of files, which may have the last heading too. */
function withoutIdeContext(text: string): string {
  if (!IDE_CONTEXTS.some((heading) => text.trimStart().startsWith(heading))) return text
  const ends = IDE_REQUESTS.map((heading) => text.lastIndexOf(heading) + heading.length)
  const found = ends.filter((end, index) => end >= (IDE_REQUESTS[index]?.length ?? 0))
  return found.length === 0 ? '' : text.slice(Math.max(...found))
}
