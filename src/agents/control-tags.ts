import type { FormatId } from '../schemas/format.ts'

/** Tags that several agents give a meaning to. */
const COMMON = ['system-reminder', 'summary', 'analysis', 'environment_context', 'user_instructions']

const CLAUDE = [
  ...['command-name', 'command-message', 'command-args', 'local-command-stdout', 'local-command-stderr'],
  ...['local-command-caveat', 'bash-input', 'bash-stdout', 'bash-stderr', 'task-notification'],
  ...['user-prompt-submit-hook', 'tools-used-before-summary', 'session_context', 'total_tokens'],
]
const CODEX = [
  ...['turn_aborted', 'subagent_notification', 'recommended_plugins', 'INSTRUCTIONS', 'image', 'collaboration_mode'],
  ...[
    'permissions instructions',
    'skills_instructions',
    'apps_instructions',
    'plugins_instructions',
    'user_shell_command',
  ],
]
const GEMINI = ['state_snapshot', 'session_context', 'untrusted_context', 'scratchpad', 'hook_context']
const CLINE = [
  ...[
    'user_input',
    'task',
    'feedback',
    'user_message',
    'environment_details',
    'SYSTEM_NOTICE',
    'new_task',
    'file_content',
  ],
  ...['explicit_instructions', 'user_feedback'],
]

/**
 * The tags by which each agent recognizes text that it has written itself (formats of November 2026). In a summary they would
 * be taken for instructions of the agent, or end the summary.
 */
const OWN_TAGS: Readonly<Partial<Record<FormatId, readonly string[]>>> = {
  'claude-code': CLAUDE,
  anthropic: CLAUDE,
  codex: CODEX,
  responses: CODEX,
  gemini: GEMINI,
  'gemini-contents': GEMINI,
  qwen: GEMINI,
  opencode: ['conversation', 'prior-summary', 'file', 'dcp-system-reminder'],
  cline: CLINE,
  'cline-legacy': CLINE,
}

/**
 * Returns a summary in which no text is a control tag of an agent: `<system-reminder>` becomes `&lt;system-reminder>`. All
 * other text stays. Linear: what is looked at after each `<` is as long as the longest tag.
 */
export function neutralizeTags(summary: string, format: FormatId): string {
  const names = [...COMMON, ...(OWN_TAGS[format] ?? [])].map((name) => name.replaceAll('-', '\\-')).join('|')
  return summary.replace(new RegExp(`<(?=[\\s/]{0,4}(?:${names})(?![\\w-]))`, 'gi'), '&lt;')
}
