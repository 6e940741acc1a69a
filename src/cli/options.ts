import { PROGRAM_NAMES } from '../model/commands/programs.ts'
import { FORMAT_IDS, REPLY_FORMS } from '../schemas/format-ids.ts'
import { RECALL_KINDS, RECALL_ORDERS, RECALL_SCOPES } from '../schemas/recall-kinds.ts'

export interface Option {
  type: 'string' | 'boolean'
  short?: string
  /** The name of its value; absent for a flag. */
  value?: string
  /** All values that it may have; absent if others are possible. */
  choices?: readonly string[]
  /** Whether it may be given several times. */
  multiple?: true
  help: string
}

/** Options of several commands. */
export const keep: Option = {
  type: 'string',
  value: 'TOKENS',
  help: 'how many of the newest tokens stay (default: 20000, or less)',
}
export const format: Option = {
  type: 'string',
  value: 'ID',
  choices: FORMAT_IDS,
  help: 'the format of the session, instead of detecting it',
}
export const url: Option = { type: 'string', value: 'URL', help: 'use a running service (its token: PRECIS_TOKENS)' }
export const json: Option = { type: 'boolean', help: 'print JSON' }
export const quiet: Option = { type: 'boolean', short: 'q', help: 'no progress on stderr' }
export const window: Option = {
  type: 'string',
  value: 'TOKENS',
  help: "the context window of the agent's own model, not of the summarizer's (default: 200000)",
}

export const budget: Option = {
  type: 'string',
  value: 'TOKENS',
  help: "how many tokens a model reads (default: 12000 to 200000); without one, the summary's length",
}
export const focus: Option = { type: 'string', value: 'TEXT', help: 'what the summary should pay attention to' }
export const model: Option = {
  type: 'string',
  value: 'NAME',
  help: 'write with a model, such as anthropic:claude-haiku-4-5; without it, code picks the sentences',
}

export const withCommand: Option = {
  type: 'string',
  value: 'COMMAND',
  multiple: true,
  help: `write with ${PROGRAM_NAMES.join(', ')}, or any command; repeat it`,
}

export const prepared: Option = {
  type: 'string',
  value: 'WHICH',
  choices: ['never', 'only'],
  help: 'prepared summaries: never use one, or nothing else (default: one if there is one)',
}
export const callsPerDay: Option = {
  type: 'string',
  value: 'COUNT',
  help: 'the most model calls of a day (default: 100)',
}
export const active: Option = {
  type: 'string',
  value: 'MINUTES',
  help: 'a session is running if it has changed in the last minutes (default: 60)',
}
export const noRecall: Option = {
  type: 'boolean',
  help: 'the summary does not say how to look up what it replaces (`precis recall`)',
}

/** Commands that have it read the configuration file. */
export const noConfig: Option = { type: 'boolean', help: 'do not read the configuration file (precis config)' }

export const COMPACT_OPTIONS = {
  write: { type: 'boolean', short: 'w', help: "write the compaction into the agent's session; keeps a backup" },
  edit: { type: 'boolean', help: 'with --write: change the summary before it is written, in VISUAL or EDITOR' },
  open: { type: 'boolean', help: 'open the page with the session in the browser, until Ctrl-C' },
  reply: {
    type: 'string',
    value: 'FORM',
    choices: REPLY_FORMS,
    help: 'what is printed: text (default), json, native, or the format of another agent',
  },
  keep,
  budget,
  focus,
  model,
  with: withCommand,
  prepared,
  window,
  url,
  'no-recall': { ...noRecall, help: `with --write: ${noRecall.help}` },
  format,
  'no-config': noConfig,
  quiet,
} as const satisfies Readonly<Record<string, Option>>

export const PRUNE_OPTIONS = {
  write: { type: 'boolean', short: 'w', help: "write the pruned session into the agent's file; keeps a backup" },
  keep: { ...keep, help: 'how many of the newest tokens of tool outputs stay (default: 40000)' },
  least: { type: 'string', value: 'TOKENS', help: 'do nothing if it would save fewer tokens (default: 20000)' },
  format,
  json,
  quiet,
} as const satisfies Readonly<Record<string, Option>>

export const HOOK_OPTIONS = {
  model,
  with: withCommand,
  url,
  budget,
  focus,
  keep,
  window,
  'calls-per-day': callsPerDay,
  'no-recall': noRecall,
  'no-config': noConfig,
  now: { type: 'boolean', help: 'prepare a summary in this process, and not in the background' },
} as const satisfies Readonly<Record<string, Option>>

export const RECALL_OPTIONS = {
  session: { type: 'string', short: 's', value: 'FILE|ID|-', help: 'the session; then all arguments are words' },
  entry: {
    type: 'string',
    short: 'e',
    value: 'ID',
    multiple: true,
    help: 'show this entry; repeat it for several',
  },
  around: { type: 'string', value: 'COUNT', help: 'so many entries before and after each --entry, too (0 to 50)' },
  kind: {
    type: 'string',
    value: 'KIND',
    choices: RECALL_KINDS,
    multiple: true,
    help: `only ${RECALL_KINDS.slice(0, -1).join(', ')} or ${RECALL_KINDS.at(-1)}; repeat it`,
  },
  tool: { type: 'string', value: 'NAME', help: 'only calls of this tool' },
  path: { type: 'string', value: 'TEXT', help: 'only calls with a file whose path has this text' },
  before: { type: 'string', value: 'MOMENT', help: 'only before an entry id, a time, or compaction:N' },
  after: { type: 'string', value: 'MOMENT', help: 'only after an entry id, a time, or compaction:N' },
  order: { type: 'string', value: 'ORDER', choices: RECALL_ORDERS, help: 'relevance (default), oldest or newest' },
  scope: { type: 'string', value: 'SCOPE', choices: RECALL_SCOPES, help: 'replaced (default), or all' },
  'max-tokens': { type: 'string', value: 'TOKENS', help: 'how much is shown (100 to 50000, default: 2000)' },
  offset: { type: 'string', value: 'COUNT', help: 'how many passages to skip' },
  format,
  'no-config': noConfig,
  json,
} as const satisfies Readonly<Record<string, Option>>

/** Of commands that change the settings of agents. */
export const WRITES_SETTINGS = {
  yes: { type: 'boolean', short: 'y', help: 'write without asking' },
  'dry-run': { type: 'boolean', help: 'only show what would change' },
  project: { type: 'boolean', help: 'the settings of the project in the current folder, not those of the user' },
} as const satisfies Readonly<Record<string, Option>>
