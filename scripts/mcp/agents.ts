import { existsSync, mkdirSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseFields } from '../../src/session/entry.ts'
import type { Trial } from '../resume/trial.ts'
import { CLIENTS } from '../states/clients.ts'
import type { StateClient } from '../states/client.ts'

/** A real agent, and how its user connects it with `precis mcp` (docs/mcp.md). */
export interface ConnectedAgent {
  client: StateClient
  /** Writes the server into the configuration of the agent, under the name `precis`. */
  connect: (trial: Trial, server: Server) => void
  /** Options with which a turn needs no user. */
  flags?: readonly string[]
}

interface Server {
  command: string
  args: readonly string[]
}

/** Adds fields to a JSON file, which need not be there. */
function merge(path: string, change: (value: Record<string, unknown>) => object): void {
  const value = existsSync(path) ? parseFields(readFileSync(path, 'utf8')) : {}
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ ...value, ...change({ ...value }) }))
}

/** Adds the server to a file with a list of servers. */
const listIn = (path: string, entry: object): void => {
  merge(path, () => ({ mcpServers: { precis: entry } }))
}

function clientOf(name: string): StateClient {
  const client = CLIENTS[name]
  if (client === undefined) throw new Error(`The client ${name} is unknown.`)
  return client
}

/** Tools are found by a search here, as by default. */
const claudeCode: StateClient = {
  ...clientOf('claude-code'),
  async configure(trial) {
    const { ENABLE_TOOL_SEARCH: _search, ...env } = await clientOf('claude-code').configure(trial)
    return env
  },
}

const pi: StateClient = { ...clientOf('pi'), packages: ['@earendil-works/pi-coding-agent@1.5.2', 'node@22.23.3'] }

export const AGENTS_WITH_MCP: Readonly<Record<string, ConnectedAgent>> = {
  'Claude Code': {
    client: claudeCode,
    connect({ home }, server) {
      listIn(join(home, '.claude.json'), { type: 'stdio', ...server, alwaysLoad: true })
    },
    flags: ['--allowedTools', 'mcp__precis'],
  },
  Codex: {
    client: clientOf('codex'),
    connect({ home }, { command, args }) {
      const lines = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`, 'required = true']
      appendFileSync(join(home, '.codex/config.toml'), `\n[mcp_servers.precis]\n${lines.join('\n')}\n`)
    },
  },
  opencode: {
    client: clientOf('opencode'),
    connect({ home }, { command, args }) {
      const entry = { type: 'local', command: [command, ...args], enabled: true }
      merge(join(home, 'CONFIG/opencode/opencode.json'), () => ({ mcp: { precis: entry } }))
    },
  },
  'Gemini CLI': {
    client: clientOf('gemini'),
    connect({ home }, server) {
      listIn(join(home, '.gemini/settings.json'), { ...server, trust: true })
    },
    flags: [],
  },
  'Qwen Code': {
    client: clientOf('qwen'),
    connect({ home }, server) {
      listIn(join(home, '.qwen/settings.json'), { ...server, trust: true, alwaysLoadTools: true })
    },
    flags: [],
  },
  pi: {
    client: pi,
    connect({ home }, server) {
      listIn(join(home, '.pi/agent/mcp.json'), { ...server, exposure: 'direct' })
    },
  },
  'oh-my-pi': {
    client: clientOf('oh-my-pi'),
    connect({ home }, server) {
      listIn(join(home, '.omp/agent/mcp.json'), server)
      writeFileSync(join(home, '.omp/agent/config.yml'), 'tools:\n  xdev: false\n')
    },
  },
  Cline: {
    client: clientOf('cline'),
    connect({ home }, server) {
      listIn(join(home, '.cline/data/settings/cline_mcp_settings.json'), server)
    },
  },
}
