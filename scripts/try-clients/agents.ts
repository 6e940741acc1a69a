import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findInLines, folderOf } from '../../src/agents/shared/session-file.ts'
import { parseFields } from '../../src/session/entry.ts'
import type { Fields } from '../resume/fake-model.ts'
import type { RealClient, Trial } from '../resume/trial.ts'
import { CLIENTS } from '../states/clients.ts'
import { findSession } from './files.ts'

/** A real agent: its client, how a user has set it up, and how a session is started and continued without a user. */
export interface TriedAgent extends RealClient {
  name: string
  /** Adds to the configuration of the client what a user has in it: comments, servers and hooks of other programs. */
  personalize: (home: string) => void
  /** Returns the command for a turn; without an id, it begins a session. */
  command: (prompt: string, id: string | undefined, title: string) => string[]
  /** Returns the id of the session in whose prompts a word is. */
  idOf: (trial: Trial, word: string) => string | Promise<string>
  /** A command of the agent that compacts. */
  compactCommand?: string
  /** The tokens that the model must count, so that the agent compacts by itself; absent: it has only the command. */
  fullTokens?: number
  /** What the model gets of Précis at a compaction. */
  gets: Contribution
  /** A call that does nothing, for an agent whose sessions end with one prompt where it has no terminal. */
  pause?: { name: string; args: Fields }
  /** Why its model has no tool `recall`. */
  withoutTools?: string
}

/** A text that only Précis writes, and where it stands: in the agent's request for a summary, or in the next request after it. */
export type Contribution = 'beside' | 'instead' | 'prompt' | 'reminder' | 'nothing'

export function clientOf(name: string, packages?: readonly string[]): RealClient {
  const client = CLIENTS[name]
  if (client === undefined) throw new Error(`The client ${name} is unknown.`)
  return { packages: packages ?? client.packages, configure: client.configure }
}

/** How a user's editor leaves a file. */
interface Form {
  indent?: number | string
  comment?: string
}

/** Adds members to a JSON file, which need not be there. */
export function addToJson(path: string, members: object, { indent = 2, comment = '' }: Form = {}): void {
  const value = existsSync(path) ? parseFields(readFileSync(path, 'utf8')) : {}
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${comment}${JSON.stringify({ ...value, ...members }, undefined, indent)}\n`)
}

/** A server of another program, which ends at once, and a hook of it, which does nothing. */
const OTHER_SERVER = { command: 'true', args: ['--other'] }
const otherHook = (fields: object = {}): object => ({ hooks: [{ type: 'command', command: 'true', ...fields }] })
const COMMENT = '// Mine. Do not sort.\n'

const claudeCode: TriedAgent = {
  name: 'Claude Code',
  packages: clientOf('claude-code').packages,
  async configure(trial) {
    // Tools are found by a search, as by default.
    const { ENABLE_TOOL_SEARCH: _search, ...env } = await clientOf('claude-code').configure(trial)
    return { ...env, CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }
  },
  personalize(home) {
    addToJson(join(home, '.claude.json'), {
      numStartups: 41,
      mcpServers: { other: { type: 'stdio', ...OTHER_SERVER } },
    })
    const permissions = { allow: ['Bash(npm test:*)', 'mcp__other'], deny: ['Read(.env)'] }
    const hooks = { Stop: [otherHook({ timeout: 5 })], PreToolUse: [{ matcher: 'Edit|Write', ...otherHook() }] }
    const path = join(home, '.claude/settings.json')
    addToJson(path, { permissions, hooks, env: { EDITOR: 'vi' }, model: 'claude-sonnet-4-5' }, { indent: '\t' })
  },
  command: (prompt, id) => ['claude', '-p', prompt, ...(id === undefined ? [] : ['--resume', id])],
  idOf: ({ home }, word) => basename(findSession(join(home, '.claude/projects'), '.jsonl', word), '.jsonl'),
  compactCommand: '/compact',
  fullTokens: 195_000,
  gets: 'beside',
}

const CODEX_SETTINGS = `# Mine: the servers that I use.
[mcp_servers.other]   # often broken
command = "true"
args = [
  "--other", # yes
]

[projects."/home/me/work"]
trust_level = "trusted"
`

const codex: TriedAgent = {
  ...clientOf('codex'),
  name: 'Codex',
  personalize(home) {
    appendFileSync(join(home, '.codex/config.toml'), CODEX_SETTINGS)
    addToJson(join(home, '.codex/hooks.json'), { hooks: { Stop: [otherHook({ timeout: 5 })] } }, { indent: 4 })
  },
  command: (prompt, id) => [
    ...['codex', 'exec', ...(id === undefined ? [] : ['resume', id]), '--skip-git-repo-check'],
    // Without a terminal, nobody can accept the hooks.
    ...['--dangerously-bypass-hook-trust', '-c', 'model_auto_compact_token_limit=50000', prompt],
  ],
  idOf: ({ home }, word) =>
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/.exec(
      findSession(join(home, '.codex/sessions'), '.jsonl', word),
    )?.[0] ?? '',
  fullTokens: 60_000,
  gets: 'beside',
}

const opencode: TriedAgent = {
  ...clientOf('opencode'),
  name: 'opencode',
  personalize(home) {
    const path = join(home, 'CONFIG/opencode/opencode.json')
    const other = { type: 'local', command: ['true', '--other'], enabled: false }
    addToJson(path, { mcp: { other }, permission: { edit: 'ask' }, instructions: ['STYLE.md'] }, { comment: COMMENT })
  },
  command: (prompt, id, title) => [
    'opencode',
    'run',
    ...(id === undefined ? ['--title', title] : ['--session', id]),
    prompt,
  ],
  async idOf({ run }, word) {
    const sessions = JSON.parse(await run('opencode', 'session', 'list', '--format', 'json')) as {
      id: string
      title: string
    }[]
    return sessions.find(({ title }) => title === word)?.id ?? ''
  },
  fullTokens: 199_000,
  gets: 'prompt',
}

/** Returns the id in a session file that has one in its lines. */
const idInLines = (path: string): string => findInLines(path, ({ sessionId }) => sessionId) ?? ''

const gemini: TriedAgent = {
  ...clientOf('gemini'),
  name: 'Gemini CLI',
  personalize(home) {
    const settings = {
      // Otherwise, one process may remove the session that another one has just resumed.
      general: { disableAutoUpdate: true, disableUpdateNag: true, sessionRetention: { enabled: false } },
      model: { compressionThreshold: 0.02 },
      mcpServers: { other: OTHER_SERVER },
      hooks: { AfterAgent: [otherHook({ name: 'other', timeout: 5000 })] },
    }
    addToJson(join(home, '.gemini/settings.json'), settings, { comment: COMMENT })
  },
  command: (prompt, id) => [
    ...['gemini', '--model', 'gemini-2.5-flash', '--skip-trust'],
    ...[...(id === undefined ? [] : ['--resume', id]), '--prompt', prompt],
  ],
  idOf: ({ home }, word) => idInLines(findSession(join(home, '.gemini/tmp'), '.jsonl', word)),
  gets: 'reminder',
}

const qwen: TriedAgent = {
  ...clientOf('qwen'),
  name: 'Qwen Code',
  personalize(home) {
    const hooks = { Stop: [otherHook({ timeout: 5 })] }
    addToJson(
      join(home, '.qwen/settings.json'),
      { ui: { theme: 'Default' }, mcpServers: { other: OTHER_SERVER }, hooks },
      { comment: COMMENT },
    )
  },
  command: (prompt, id) => [
    ...['qwen', '--auth-type', 'openai', '--model', 'fake'],
    ...[...(id === undefined ? [] : ['--resume', id]), '--prompt', prompt],
  ],
  idOf: ({ home }, word) => idInLines(findSession(join(home, '.qwen/projects'), '.jsonl', word)),
  fullTokens: 190_000,
  gets: 'beside',
}

const PI_FORM = { indent: 4 }

const ohMyPi: TriedAgent = {
  ...clientOf('oh-my-pi'),
  name: 'oh-my-pi',
  personalize(home) {
    addToJson(join(home, '.omp/agent/mcp.json'), { mcpServers: { other: OTHER_SERVER } }, PI_FORM)
    writeFileSync(
      join(home, '.omp/agent/config.yml'),
      '# Mine\ntools:\n  # short\n  maxTimeout: 600\n\ncompaction:\n  enabled: true # always\n',
    )
  },
  command: (prompt, id) => [
    ...[
      'omp',
      '--model',
      'fake/fake',
      '--no-lsp',
      '--no-title',
      ...(id === undefined ? [] : ['--resume', id]),
      '-p',
      prompt,
    ],
  ],
  idOf: ({ home }, word) => findSession(join(home, '.omp/agent/sessions'), '.jsonl', word),
  fullTokens: 199_000,
  gets: 'instead',
}

const cline: TriedAgent = {
  ...clientOf('cline'),
  name: 'Cline',
  async configure(trial) {
    return { ...(await clientOf('cline').configure(trial)), CLINE_LOGIN: `${trial.model}/v1` }
  },
  personalize(home) {
    addToJson(join(home, '.cline/data/settings/cline_mcp_settings.json'), {
      mcpServers: { other: { ...OTHER_SERVER, disabled: true } },
    })
    mkdirSync(join(home, '.cline/hooks'), { recursive: true })
    writeFileSync(join(home, '.cline/hooks/TaskStart'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  },
  command: (prompt) => [
    'sh',
    '-c',
    'cline auth openai-compatible --apikey x --modelid fake --baseurl "$CLINE_LOGIN" >/dev/null && exec cline -P openai-compatible -m fake -t 100 "$@"',
    'cline',
    prompt,
  ],
  idOf: ({ home }, word) => folderOf(findSession(join(home, '.cline'), '.messages.json', word)),
  gets: 'nothing',
  // `--id` needs a terminal.
  pause: { name: 'run_commands', args: { commands: ['true'] } },
}

const pi: TriedAgent = {
  ...clientOf('pi', ['@earendil-works/pi-coding-agent@1.5.2', 'node@22.23.3']),
  name: 'pi',
  personalize(home) {
    addToJson(join(home, '.pi/agent/mcp.json'), { mcpServers: { other: OTHER_SERVER } }, PI_FORM)
    addToJson(join(home, '.pi/agent/settings.json'), { theme: 'dark' }, PI_FORM)
  },
  command: (prompt, id) => [
    'pi',
    '--offline',
    '--model',
    'fake/fake',
    ...(id === undefined ? [] : ['--session', id]),
    '-p',
    prompt,
  ],
  idOf: ({ home }, word) => findSession(join(home, '.pi/agent/sessions'), '.jsonl', word),
  fullTokens: 199_000,
  gets: 'instead',
}

/** All agents that can be tried, by their arguments of `precis install`. */
export const TRIED_AGENTS: Readonly<Record<string, TriedAgent>> = {
  'claude-code': claudeCode,
  codex,
  opencode,
  gemini,
  qwen,
  'oh-my-pi': ohMyPi,
  cline,
  pi,
}
