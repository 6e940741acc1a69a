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
