/** The names of the kinds of facts that code finds in a session (`schemas/comparison.ts`). */
export const FACT_NAMES = {
  request: 'requests',
  demand: 'lasting demands',
  'open-item': 'open items',
  'changed-file': 'changed files',
  'read-file': 'files that were read',
  command: 'commands',
  error: 'errors',
  number: 'numbers of the user',
  commit: 'commits',
} as const

const WRITERS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  cline: 'Cline',
  'cline-legacy': 'Roo Code or Kilo Code',
  goose: 'Goose',
  gencode: 'GenCode',
  'openhands-v0': 'OpenHands',
  'openhands-v1': 'OpenHands',
  atif: 'the agent',
  precis: 'Précis',
}

/** Returns the name of an agent, by the id of its format. */
export const agentName = (writer: string): string => WRITERS[writer] ?? writer
