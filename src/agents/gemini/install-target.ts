import { join } from 'node:path'
import type { Machine } from '../home.ts'
import {
  hookSettings,
  SERVER_NAME,
  toolServerOf,
  TOOLS_PURPOSE,
  type HookEvent,
  type InstallTarget,
} from '../install-target.ts'
import { filled } from '../shared/values.ts'

/** Settings as of 0.61.0. */
export const GEMINI_TARGET: InstallTarget = {
  id: 'gemini',
  name: 'Gemini CLI',
  command: 'gemini',
  known: ['0.61.0'],
  hasProjects: true,
  folder: folderOfGemini,
  settings: (setup) => {
    const folder = setup.project === undefined ? folderOfGemini(setup) : join(setup.project, '.gemini')
    const file = join(folder, 'settings.json')
    return [
      {
        ...{ kind: 'member', file, path: ['mcpServers', SERVER_NAME], purpose: TOOLS_PURPOSE },
        // Without `trust`, the tools are hidden where nobody can be asked.
        value: { ...toolServerOf(setup), trust: true },
      },
      ...hookSettings(setup, { file, agent: 'gemini', events: EVENTS }),
    ]
  },
  advice: ({ project }) =>
    project === undefined ? [] : ['Gemini CLI reads the settings of a project only in a folder that it trusts.'],
}

/** Its time limits are milliseconds. */
const FIELDS = { name: SERVER_NAME, timeout: 30_000 }
const EVENTS: readonly HookEvent[] = [
  { event: 'BeforeAgent', purpose: 'after a compaction, the model learns how to look things up', fields: FIELDS },
  { event: 'AfterAgent', purpose: 'the next summary is prepared early', fields: FIELDS },
]

function folderOfGemini({ env, home }: Machine): string {
  return join(filled(env['GEMINI_CLI_HOME']) ?? home, '.gemini')
}
