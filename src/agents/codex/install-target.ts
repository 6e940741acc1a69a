import { join, resolve } from 'node:path'
import type { Machine } from '../home.ts'
import {
  COMPACTION_EVENTS,
  hookSettings,
  SERVER_NAME,
  toolServerOf,
  TOOLS_PURPOSE,
  type InstallTarget,
  type Setup,
} from '../install-target.ts'
import { filled } from '../shared/values.ts'

/** Settings as of 0.169.0. */
export const CODEX_TARGET: InstallTarget = {
  id: 'codex',
  name: 'Codex',
  command: 'codex',
  known: ['0.169.0'],
  atCompaction: ({ project }) =>
    project === undefined
      ? 'At a compaction, the own model of Codex still writes its summary, and gets the one by Précis after it.'
      : undefined,
  hasProjects: true,
  folder: folderOfCodex,
  settings: (setup) => {
    const folder = setup.project === undefined ? folderOfCodex(setup) : join(setup.project, '.codex')
    const events = setup.project === undefined ? COMPACTION_EVENTS : []
    return [
      {
        ...{
          kind: 'table',
          file: join(folder, 'config.toml'),
          name: ['mcp_servers', SERVER_NAME],
          purpose: TOOLS_PURPOSE,
        },
        value: { ...toolServerOf(setup), startup_timeout_sec: 20 },
      },
      ...environmentOf(setup, join(folder, 'config.toml')),
      ...hookSettings(setup, { file: join(folder, 'hooks.json'), agent: 'codex', events }),
    ]
  },
  advice: ({ project }) =>
    project === undefined
      ? ['Start `codex` once and accept the hooks when it asks: it runs none that its user has not accepted.']
      : ['Codex reads the settings of a project only if the project is trusted, and runs hooks of the user only.'],
}

export function folderOfCodex({ env, home }: Machine): string {
  return filled(env['CODEX_HOME']) ?? join(home, '.codex')
}

/** Codex gives its servers nearly no variables of its own. */
function environmentOf({ env, folder }: Setup, file: string): ReturnType<InstallTarget['settings']> {
  const named = filled(env['CODEX_HOME'])
  if (named === undefined) return []
  // The server runs in another folder.
  const CODEX_HOME = resolve(folder, named)
  const name = ['mcp_servers', SERVER_NAME, 'env']
  return [{ kind: 'table', file, name, value: { CODEX_HOME }, purpose: 'the folder of the sessions' }]
}
