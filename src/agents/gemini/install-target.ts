import { join } from 'node:path'
import {
  hookSettings,
  serverSetting,
  SERVER_NAME,
  type HookEvent,
  type InstallTarget,
  type Setup,
} from '../install-target.ts'
import { folderOfGemini } from './home.ts'

/** Settings as of 0.61.0. */
export const GEMINI_TARGET: InstallTarget = {
  id: 'gemini',
  name: 'Gemini CLI',
  command: 'gemini',
  known: ['0.61.0'],
  hasProjects: true,
  folder: folderOfGemini,
  hooksOff: (setup) => ({ file: settingsFileOf(setup), path: ['hooksConfig', 'enabled'], value: false }),
  settings: (setup) => {
    const file = settingsFileOf(setup)
    return [
      // Without `trust`, the tools are hidden where nobody can be asked.
      serverSetting(setup, file, { trust: true }),
      ...hookSettings(setup, { file, agent: 'gemini', events: EVENTS, runner: 'PowerShell' }),
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

const settingsFileOf = (setup: Setup): string =>
  join(setup.project === undefined ? folderOfGemini(setup) : join(setup.project, '.gemini'), 'settings.json')
