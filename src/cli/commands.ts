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

export interface Command {
  /** The arguments, for the usage line. */
  args: string
  help: string
  options: Readonly<Record<string, Option>>
  /** The least and the most arguments. */
  count: readonly [number, number]
}

const keep: Option = { type: 'string', value: 'TOKENS', help: 'how many of the newest tokens stay (default: 20000)' }
const format: Option = {
  type: 'string',
  value: 'ID',
  choices: FORMAT_IDS,
  help: 'the format of the session, instead of detecting it',
}
const url: Option = { type: 'string', value: 'URL', help: 'use a running service (its token: PRECIS_TOKENS)' }
const json: Option = { type: 'boolean', help: 'print JSON' }
const window: Option = {
  type: 'string',
  value: 'TOKENS',
  help: "the context window of the agent's model (default: 200000)",
}

/** All commands and their options. The help and the completions are made from it. */
export const COMMANDS = {
  serve: {
    args: '',
    help: 'start the service (docs/configuration.md has its variables)',
    count: [0, 0],
    options: {
      host: { type: 'string', value: 'ADDRESS', help: 'the address to listen on (default: 127.0.0.1, or HOST)' },
      port: { type: 'string', value: 'NUMBER', help: 'the port to listen on (default: 8080, or PORT)' },
    },
  },
  compact: {
    args: 'FILE|ID|-',
    help: 'compact a session, and print the summary',
    count: [1, 1],
    options: {
      write: { type: 'boolean', short: 'w', help: "write the compaction into the agent's session; keeps a backup" },
      reply: {
        type: 'string',
        value: 'FORM',
        choices: REPLY_FORMS,
        help: 'what is printed: text (default), json, native, or the format of another agent',
      },
      keep,
      budget: {
        type: 'string',
        value: 'TOKENS',
        help: "how many tokens a model reads (default: 40000 or more); without one, the summary's length",
      },
      focus: { type: 'string', value: 'TEXT', help: 'what the summary should pay attention to' },
      model: {
        type: 'string',
        value: 'NAME',
        help: 'write with a model (OPENAI_API_KEY, OPENAI_BASE_URL); without it, code picks the sentences',
      },
      url,
      'no-recall': {
        type: 'boolean',
        help: 'with --write: the summary does not name `precis recall`',
      },
      format,
      quiet: { type: 'boolean', short: 'q', help: 'no progress on stderr' },
    },
  },
  plan: {
    args: 'FILE|ID|-',
    help: 'print what a compaction would do',
    count: [1, 1],
    options: { keep, window, url, format, json },
  },
  recall: {
    args: '[SESSION] WORDS...',
    help: 'look up what compactions have replaced',
    count: [0, Infinity],
    options: {
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
      json,
    },
  },
  list: {
    args: '',
    help: 'list the newest sessions of the agents on this machine',
    count: [0, 0],
    options: {
      number: { type: 'string', short: 'n', value: 'COUNT', help: 'how many sessions (default: 50)' },
      window,
      json,
    },
  },
  restore: {
    args: 'FILE|ID',
    help: 'undo the last compact --write',
    count: [1, 1],
    options: {
      force: { type: 'boolean', short: 'f', help: 'also if the session has changed since then; keeps a copy' },
    },
  },
  mcp: {
    args: '',
    help: 'let an agent look things up in its session (Model Context Protocol, docs/mcp.md)',
    count: [0, 0],
    options: {
      'all-projects': { type: 'boolean', help: 'read sessions of other folders too' },
    },
  },
  completion: {
    args: 'bash|zsh|fish',
    help: 'print the completions for a shell',
    count: [1, 1],
    options: {},
  },
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS

/** Returns the command table with one type for all commands. */
export const commandOf = (name: CommandName): Command => COMMANDS[name]

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
