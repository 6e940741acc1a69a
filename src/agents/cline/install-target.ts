import { join } from 'node:path'
import {
  fileMarkFor,
  hookCommand,
  serverSetting,
  type AgentSetting,
  type InstallTarget,
  type Setup,
} from '../install-target.ts'
import type { Machine } from '../home.ts'
import { extensionFolder } from './home.ts'
import { filled } from '../shared/values.ts'

/** Settings as of 3.0.65. */
export const CLINE_TARGET: InstallTarget = {
  id: 'cline',
  name: 'Cline',
  command: 'cline',
  known: ['3.0.65'],
  hasProjects: false,
  folder: folderOfCline,
  settings: (setup) => {
    const { env } = setup
    const data = filled(env['CLINE_DATA_DIR']) ?? join(folderOfCline(setup), 'data')
    const server = serverSetting(setup, join(data, 'settings', 'cline_mcp_settings.json'))
    return [server, ...['PostToolUse', 'TaskComplete'].map((event) => hookFile(setup, event))]
  },
}

/** Not tried: these are extensions of an editor. */
export const ROO_TARGET = extensionTarget({
  ...{ id: 'roo', name: 'Roo Code', extension: 'rooveterinaryinc.roo-cline', project: '.roo' },
})
export const KILO_TARGET = extensionTarget({
  ...{ id: 'kilo', name: 'Kilo Code', extension: 'kilocode.kilo-code', project: '.kilocode' },
})

function folderOfCline({ env, home }: Machine): string {
  return filled(env['CLINE_DIR']) ?? join(home, '.cline')
}

/** A hook is a program with the name of its event. Windows has none of these. */
function hookFile(setup: Setup, event: string): AgentSetting {
  const command = hookCommand(setup, { agent: 'cline', event })
  return {
    ...{ kind: 'file', file: join(folderOfCline(setup), 'hooks', event), command },
    text: `#!/bin/sh\n# ${fileMarkFor('cline')}\n${command}\n`,
    purpose: 'the next summary is prepared early',
  }
}

function extensionTarget(names: { id: string; name: string; extension: string; project: string }): InstallTarget {
  const { id, name, extension } = names
  return {
    ...{ id, name, known: [], hasProjects: true },
    folder: (machine) => extensionFolder(machine, extension),
    settings: (setup) => {
      const file =
        setup.project === undefined
          ? join(extensionFolder(setup, extension), 'settings', 'mcp_settings.json')
          : join(setup.project, names.project, 'mcp.json')
      return [serverSetting(setup, file, { alwaysAllow: ['recall', 'outline', 'read_entries'] })]
    },
    advice: () => [
      `${name} can look things up now. It has no hooks: \`precis compact ID --write\` compacts its tasks.`,
    ],
  }
}
