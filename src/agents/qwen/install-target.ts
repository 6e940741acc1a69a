import { join } from 'node:path'
import type { Machine } from '../home.ts'
import { COMPACTION_EVENTS, hookSettings, serverSetting, type InstallTarget, type Setup } from '../install-target.ts'
import { filled } from '../shared/values.ts'

/** Settings as of 0.24.4. */
export const QWEN_TARGET: InstallTarget = {
  id: 'qwen',
  name: 'Qwen Code',
  command: 'qwen',
  known: ['0.24.4'],
  atCompaction: () =>
    'At a compaction, the own model of Qwen Code still writes its summary, and gets the one by Précis after it.',
  hasProjects: true,
  folder: folderOfQwen,
  hooksOff: (setup) => ({ file: settingsFileOf(setup), path: ['disableAllHooks'], value: true }),
  settings: (setup) => {
    const file = settingsFileOf(setup)
    return [
      // `trust`: without a question; `alwaysLoadTools`: in the list of each request, and not only found by a search.
      serverSetting(setup, file, { trust: true, alwaysLoadTools: true }),
      ...hookSettings(setup, { file, agent: 'qwen', events: COMPACTION_EVENTS }),
    ]
  },
  advice: ({ project }) =>
    project === undefined
      ? []
      : ['Qwen Code 0.24.4 starts the tool server of a project only in its terminal interface.'],
}

export function folderOfQwen({ env, home }: Machine): string {
  return filled(env['QWEN_HOME']) ?? join(home, '.qwen')
}

const settingsFileOf = (setup: Setup): string =>
  join(setup.project === undefined ? folderOfQwen(setup) : join(setup.project, '.qwen'), 'settings.json')
