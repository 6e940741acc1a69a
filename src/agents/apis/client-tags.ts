/** The tags by which Claude Code recognizes text that it has written itself (November 2026). */
export const CLAUDE_TAGS = [
  ...['command-name', 'command-message', 'command-args', 'bash-input', 'bash-stdout', 'bash-stderr'],
  ...['local-command-stdout', 'local-command-stderr', 'local-command-caveat', 'task-notification'],
  ...['user-prompt-submit-hook', 'tools-used-before-summary', 'session_context', 'total_tokens'],
]

/** The tags by which Codex recognizes text that it has written itself (November 2026). */
export const CODEX_TAGS = [
  ...['turn_aborted', 'subagent_notification', 'recommended_plugins', 'INSTRUCTIONS', 'image', 'user_shell_command'],
  ...[
    'collaboration_mode',
    'permissions instructions',
    'skills_instructions',
    'apps_instructions',
    'plugins_instructions',
  ],
]

/** The tags by which Gemini CLI recognizes text that it has written itself (November 2026). */
export const GEMINI_TAGS = ['state_snapshot', 'session_context', 'untrusted_context', 'scratchpad', 'hook_context']
