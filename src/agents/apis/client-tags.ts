/** The tags by which Claude Code recognizes text that it has written itself (November 2026). */
export const CLAUDE_TAGS = [
  ...['command-name', 'command-message', 'command-args', 'bash-input', 'bash-stdout', 'bash-stderr'],
  ...['local-command-stdout', 'local-command-stderr', 'local-command-caveat', 'task-notification'],
  ...['user-prompt-submit-hook', 'tools-used-before-summary', 'session_context', 'total_tokens'],
]

/** The tags of text that Codex writes in the user's role, or the beginnings of their names (openai/codex, `codex-rs/core/src/context/`). */
export const CODEX_USER_TAGS = [
  ...['environment_context', 'user_instructions', 'turn_aborted', 'permissions instructions', 'skills_instructions'],
  ...['subagent_notification', 'recommended_plugins'],
  // The output of a command that the user ran, a skill, and the result of a review
  ...['user_shell_command', 'skill', 'user_action', 'hook_prompt'],
  // The words of other agents and of the speech model
  ...['inter_agent_communication', 'realtime_conversation', 'agent_message_board_notification'],
  // A goal that Codex repeats (older versions: the second tag), what an extension or an editor adds, and a change of the model
  ...[
    'codex_internal_context',
    'goal_context',
    'untrusted_objective',
    'extension_context',
    String.raw`external_\w{1,60}`,
  ],
  ...['model_switch', 'next_prompt_suggestion'],
]

/**
 * The same, and the tags of the developer's role, which models obey: by the ends of their names, so that those of later versions
 * are among them, and the others by name (versions up to November 2026).
 */
export const CODEX_TAGS = [
  ...[...CODEX_USER_TAGS, String.raw`\w{1,40}_(?:context|instructions|notification)`],
  ...['INSTRUCTIONS', 'image', 'collaboration_mode', 'realtime_delegation', 'token_budget'],
]

/** The tags by which Gemini CLI recognizes text that it has written itself (November 2026). */
export const GEMINI_TAGS = ['state_snapshot', 'session_context', 'untrusted_context', 'scratchpad', 'hook_context']
