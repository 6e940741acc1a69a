import { join } from 'node:path'
import type { Machine } from '../home.ts'
import {
  COMPACTION_EVENTS,
  hookSettings,
  SERVER_NAME,
  toolServerOf,
  TOOLS_PURPOSE,
  type HookEvent,
  type InstallTarget,
  type MemberSetting,
  type Setup,
} from '../install-target.ts'
import { filled } from '../shared/values.ts'
import { namesIn } from '../shared/session-file.ts'

/** Settings as of 2.1.330. */
export const CLAUDE_CODE_TARGET: InstallTarget = {
  id: 'claude-code',
  name: 'Claude Code',
  command: 'claude',
  known: ['2.1.330'],
  atCompaction: () =>
    'At a compaction, the own model of Claude Code still writes a summary, for which it is asked for at most ten lines, and gets the one by Précis after it.',
  hasProjects: true,
  folder: folderOfClaude,
  hooksOff: (setup) => ({ file: settingsFileOf(setup), path: ['disableAllHooks'], value: true }),
  settings: (setup) => {
    const file = settingsFileOf(setup)
    return [
      serverSetting(setup),
      {
        ...{ kind: 'element', file, path: ['permissions', 'allow'], value: `mcp__${SERVER_NAME}` },
        purpose: 'the tools run without a question',
        isOurs: (value) => value === `mcp__${SERVER_NAME}`,
      },
      ...hookSettings(setup, { file, agent: 'claude-code', events: EVENTS }),
    ]
  },
  processes: (machine) => runningProcesses(join(folderOfClaude(machine), 'sessions')),
}

const EVENTS: readonly HookEvent[] = [
  ...COMPACTION_EVENTS,
  { event: 'UserPromptSubmit', purpose: 'the model gets the rest of a long summary', fields: { timeout: 30 } },
]

/** A project's `settings.json` is for everybody who works on it, and the paths are those of this machine. */
const settingsFileOf = (setup: Setup): string =>
  setup.project === undefined
    ? join(folderOfClaude(setup), 'settings.json')
    : join(setup.project, '.claude', 'settings.local.json')

export function folderOfClaude({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return filled(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude')
}

/** The program keeps its state in this file, too, and writes it whenever it runs. */
function serverSetting(setup: Setup): MemberSetting {
  const { env, home, project } = setup
  // `alwaysLoad`: the tools are in the list of each request, and not only found by a search.
  const value = { type: 'stdio', ...toolServerOf(setup), alwaysLoad: true }
  const scope = ['--scope', project === undefined ? 'user' : 'local']
  return {
    kind: 'member',
    file: join(filled(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json'),
    // In `.mcp.json` of the project, the paths of this machine would be everybody's.
    path: [...(project === undefined ? [] : ['projects', project]), 'mcpServers', SERVER_NAME],
    value,
    purpose: TOOLS_PURPOSE,
    commands: {
      add: ['claude', 'mcp', 'add-json', ...scope, SERVER_NAME],
      remove: ['claude', 'mcp', 'remove', ...scope, SERVER_NAME],
    },
  }
}

/** Each process has a file named by its number. */
const runningProcesses = (folder: string): number[] =>
  namesIn(folder).flatMap((name) => (/^\d{1,9}\.json$/.test(name) ? [parseInt(name, 10)] : []))
