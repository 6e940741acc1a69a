/** The tags by which Claude Code recognizes text that it has written itself (November 2026). */
export const CLAUDE_TAGS = [
  ...['command-name', 'command-message', 'command-args', 'bash-input', 'bash-stdout', 'bash-stderr'],
  ...['local-command-stdout', 'local-command-stderr', 'local-command-caveat', 'task-notification'],
  ...['user-prompt-submit-hook', 'tools-used-before-summary', 'session_context', 'total_tokens'],
]
