import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RealClient } from '../resume/trial.ts'
import { addToJson, clientOf } from './agents.ts'

/** A program of `--with`, and how its user has set it up. */
export interface TriedWriter {
  client: RealClient
  /** The model, for a program without a default. */
  model?: string
  /** The name of its shell, which the model calls. */
  shell: string
  /** Adds hooks, servers and instructions of the user: what runs leaves a mark, and the instructions have one. */
  personalize: (home: string) => void
}

/** The file in the home that hooks, servers and plugins of the user write. */
export const OWN_HOOK_MARK = 'hook-ran'

const INSTRUCTIONS = 'MARK-OF-THE-USER'
const commandOf = (home: string): string => `echo ran >> ${join(home, OWN_HOOK_MARK)}`
const hooksOf = (home: string, events: readonly string[]): object =>
  Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: 'command', command: commandOf(home) }] }]]))
const serverOf = (home: string): { command: string; args: string[] } => ({
  command: 'sh',
  args: ['-c', commandOf(home)],
})

/** Adds hooks, a server and instructions to settings in JSON. */
function addOwn(home: string, settings: string, { events, file }: { events: readonly string[]; file: string }): void {
  addToJson(join(home, settings), { mcpServers: { other: serverOf(home) }, hooks: hooksOf(home, events) })
  writeFileSync(join(home, file), INSTRUCTIONS)
}

/** A plugin that leaves a mark when it is loaded. */
function addPlugin(
  home: string,
  folder: string,
  how: 'export const P = async () => {' | 'export default () => {',
): void {
  mkdirSync(join(home, folder), { recursive: true })
  const mark = JSON.stringify(join(home, OWN_HOOK_MARK))
  writeFileSync(
    join(home, folder, 'mine.js'),
    `import fs from 'node:fs'; ${how} fs.appendFileSync(${mark}, 'ran'); return {} }`,
  )
}

const named = (name: string): RealClient => clientOf(name)

/** All programs that can be tried, by their names of `--with`. */
export const WRITERS: Readonly<Record<string, TriedWriter>> = {
  claude: {
    client: named('claude-code'),
    shell: 'Bash',
    personalize(home) {
      addOwn(home, '.claude/settings.json', {
        events: ['SessionStart', 'UserPromptSubmit', 'Stop'],
        file: '.claude/CLAUDE.md',
      })
      addToJson(join(home, '.claude.json'), { mcpServers: { other: { type: 'stdio', ...serverOf(home) } } })
    },
  },
  codex: {
    client: named('codex'),
    shell: 'exec_command',
    personalize(home) {
      writeFileSync(join(home, '.codex/AGENTS.md'), INSTRUCTIONS)
      const { command, args } = serverOf(home)
      const table = `\n[mcp_servers.other]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`
      appendFileSync(join(home, '.codex/config.toml'), table)
      addToJson(join(home, '.codex/hooks.json'), { hooks: hooksOf(home, ['SessionStart', 'Stop']) })
    },
  },
  gemini: {
    client: named('gemini'),
    model: 'gemini-2.5-flash',
    shell: 'run_shell_command',
    personalize(home) {
      addOwn(home, '.gemini/settings.json', { events: ['BeforeAgent'], file: '.gemini/GEMINI.md' })
    },
  },
  qwen: {
    client: named('qwen'),
    shell: 'run_shell_command',
    personalize(home) {
      addOwn(home, '.qwen/settings.json', { events: ['Stop'], file: '.qwen/QWEN.md' })
    },
  },
  opencode: {
    client: named('opencode'),
    model: 'fake/fake',
    shell: 'bash',
    personalize(home) {
      writeFileSync(join(home, 'CONFIG/opencode/AGENTS.md'), INSTRUCTIONS)
      addPlugin(home, 'CONFIG/opencode/plugin', 'export const P = async () => {')
    },
  },
  pi: {
    client: clientOf('pi', ['@earendil-works/pi-coding-agent@1.5.2', 'node@22.23.3']),
    model: 'fake/fake',
    shell: 'bash',
    personalize(home) {
      writeFileSync(join(home, '.pi/agent/AGENTS.md'), INSTRUCTIONS)
      addPlugin(home, '.pi/agent/extensions', 'export default () => {')
    },
  },
}
