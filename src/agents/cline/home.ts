import { join } from 'node:path'
import { parseFields } from '../../session/entry.ts'
import { ANY_FOLDER, type AgentHome, type AgentName, type Machine } from '../home.ts'
import { folderOf, readText } from '../shared/session-file.ts'
import { filled } from '../shared/values.ts'

export const CLINE_HOME: AgentHome = {
  id: 'cline',
  name: 'Cline',
  root: ({ env, home }) => {
    const data = filled(env['CLINE_DATA_DIR']) ?? join(filled(env['CLINE_DIR']) ?? join(home, '.cline'), 'data')
    return filled(env['CLINE_SESSION_DATA_DIR']) ?? join(data, 'sessions')
  },
  levels: [ANY_FOLDER, /\.messages\.json$/],
  idOf: folderOf,
  // A file beside the session names it.
  projectOf: (path) => {
    const manifest = parseFields(readText(path.replace(/\.messages\.json$/, '.json')))
    return filled(manifest['cwd'])
  },
  mcpClient: { name: /^@?cline\b/ },
}

/** The extensions of VS Code with the format of Cline before 3.x. */
export const TASK_HOMES: readonly AgentHome[] = [
  tasksOf({ id: 'cline-in-vs-code', name: 'Cline in VS Code' }, 'saoudrizwan.claude-dev'),
  tasksOf({ id: 'roo', name: 'Roo Code' }, 'rooveterinaryinc.roo-cline'),
  tasksOf({ id: 'kilo', name: 'Kilo Code' }, 'kilocode.kilo-code'),
]

function tasksOf(agent: AgentName, extension: string): AgentHome {
  return {
    ...agent,
    root: (machine) => join(extensionFolder(machine, extension), 'tasks'),
    levels: [ANY_FOLDER, /^api_conversation_history\.json$/],
    idOf: folderOf,
    projectOf: () => undefined,
    mcpClient: undefined,
  }
}

/** Returns the folder in which VS Code keeps the files of an extension. */
export function extensionFolder({ env, home }: Pick<Machine, 'env' | 'home'>, extension: string): string {
  const settings =
    process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : (filled(env['XDG_CONFIG_HOME']) ?? join(home, '.config'))
  return join(settings, 'Code', 'User', 'globalStorage', extension)
}
