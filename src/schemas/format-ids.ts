/** The formats of sessions. `pi` is also that of oh-my-pi and indusagi; `chat` is that of OpenAI's chat API. */
export const FORMAT_IDS = [
  'pi',
  'chat',
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'gemini-contents',
  'qwen',
  'cline',
  'cline-legacy',
  'openhands-v0',
  'openhands-v1',
  'atif',
  'swe-agent',
  'ai-model',
  'ai-ui',
  'goose',
  'aider',
  'gencode',
  'responses',
  'anthropic',
] as const

/** The formats in which a new session can be written. */
export const NEW_SESSION_FORMATS = [
  'claude-code',
  'codex',
  'opencode',
  'gemini',
  'qwen',
  'pi',
  'atif',
  'chat',
  'anthropic',
  'responses',
] as const

/** The values of `POST /compaction?reply=` and `precis compact --reply`. */
export const REPLY_FORMS = ['json', 'native', 'text', ...NEW_SESSION_FORMATS] as const
