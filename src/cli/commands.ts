import { COMPARE_OPTIONS } from './compare-options.ts'
import { INSTALL_COMMANDS } from './install/install-commands.ts'
import {
  active,
  budget,
  callsPerDay,
  COMPACT_OPTIONS,
  focus,
  format,
  HOOK_OPTIONS,
  json,
  keep,
  model,
  noConfig,
  PRUNE_OPTIONS,
  quiet,
  RECALL_OPTIONS,
  url,
  window,
  withCommand,
  type Option,
} from './options.ts'

export interface Command {
  /** The arguments, for the usage line. */
  args: string
  help: string
  options: Readonly<Record<string, Option>>
  /** The least and the most arguments. */
  count: readonly [number, number]
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
    options: COMPACT_OPTIONS,
  },
  plan: {
    args: 'FILE|ID|-',
    help: 'print what a compaction would do',
    count: [1, 1],
    options: { keep, window, url, format, 'no-config': noConfig, json },
  },
  compare: {
    args: 'FILE|ID|-',
    help: "compare the agent's own summary with one of the same entries by Précis",
    count: [1, 1],
    options: COMPARE_OPTIONS,
  },
  prune: {
    args: 'FILE|ID|-',
    help: 'remove old tool outputs from a session, without a summary',
    count: [1, 1],
    options: PRUNE_OPTIONS,
  },
  recall: {
    args: '[SESSION] WORDS...',
    help: 'look up what compactions have replaced',
    count: [0, Infinity],
    options: RECALL_OPTIONS,
  },
  list: {
    args: '',
    help: 'list the newest sessions of the agents on this machine',
    count: [0, 0],
    options: {
      number: { type: 'string', short: 'n', value: 'COUNT', help: 'how many sessions (default: 50)' },
      window,
      'no-config': noConfig,
      json,
    },
  },
  watch: {
    args: '[AGENT|FOLDER...]',
    help: 'show running sessions, and prepare their summaries with a model',
    count: [0, Infinity],
    options: {
      model: { ...model, help: 'prepare summaries with a model, such as anthropic:claude-haiku-4-5' },
      with: withCommand,
      keep,
      budget: { ...budget, help: 'how many tokens the model reads (default: 12000 to 200000)' },
      focus,
      window,
      'calls-per-day': callsPerDay,
      active,
      once: { type: 'boolean', help: 'print the table once, and prepare nothing' },
      bell: { type: 'boolean', help: 'ring when an agent will soon compact its session' },
      forget: { type: 'boolean', help: 'remove all prepared summaries' },
      'no-config': noConfig,
      json,
    },
  },
  restore: {
    args: 'FILE|ID',
    help: 'undo the last compact --write',
    count: [1, 1],
    options: {
      force: { type: 'boolean', short: 'f', help: 'also if the session has changed since then; keeps a copy' },
      quiet,
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
  hook: {
    args: 'AGENT EVENT',
    help: 'what agents run at their events (docs/agents.md): stdin has the event',
    count: [2, 2],
    options: HOOK_OPTIONS,
  },
  config: {
    args: '[path]',
    help: 'show which settings count, and where each comes from',
    count: [0, 1],
    options: { json },
  },
  ...INSTALL_COMMANDS,
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
