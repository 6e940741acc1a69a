import { basename, dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'
import { hasMessages, idOfGemini, projectOfGemini } from './gemini.ts'
import { nameOf, projectInManifest } from './session-project.ts'

export interface Machine {
  env: Environment
  /** The user's home folder. */
  home: string
  /** The current folder. */
  folder: string
}

export interface Agent {
  name: string
  /** The folder below which its sessions are. */
  root: (machine: Machine) => string
  /** One pattern for each level below the root; the last one is that of the file. */
  levels: readonly RegExp[]
  /** The id of a session; default: the name of its file without the extension. */
  idOf?: (path: string) => string | undefined
  /**
   * Returns the folder that the agent worked in; default: the one that the session names.
   * @param known folders that may be it
   */
  projectOf?: (path: string, root: string, known: () => readonly string[]) => string | undefined
  /** Default: every file that is not empty. */
  isSession?: (path: string) => boolean
}

const ANY = /^[^.]/
const LINES = /\.jsonl$/
const TASK_FILE = /^api_conversation_history\.json$/

const folderOf = (path: string): string => basename(dirname(path))

/** Where each agent keeps its sessions, and the variables with which a user moves them. */
export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    root: ({ env, home }) => join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects'),
    levels: [ANY, LINES],
  },
  {
    name: 'Codex',
    root: ({ env, home }) => join(env['CODEX_HOME'] ?? join(home, '.codex'), 'sessions'),
    levels: [ANY, ANY, ANY, /^rollout-.*\.jsonl$/],
    // rollout-TIME-UUID.jsonl
    idOf: (path) => nameOf(path).slice(-36),
  },
  {
    name: 'Gemini CLI',
    root: ({ env, home }) => join(env['GEMINI_CLI_HOME'] ?? home, '.gemini', 'tmp'),
    levels: [ANY, /^chats$/, /^session-.*\.jsonl?$/],
    idOf: idOfGemini,
    isSession: hasMessages,
    projectOf: projectOfGemini,
  },
  {
    name: 'Qwen Code',
    root: ({ env, home }) => join(env['QWEN_RUNTIME_DIR'] ?? env['QWEN_HOME'] ?? join(home, '.qwen'), 'projects'),
    levels: [ANY, /^chats$/, LINES],
  },
  { name: 'pi', ...filesOfPi('.pi') },
  { name: 'oh-my-pi', ...filesOfPi('.omp') },
  {
    name: 'Cline',
    root: ({ env, home }) => {
      const data = env['CLINE_DATA_DIR'] ?? join(env['CLINE_DIR'] ?? join(home, '.cline'), 'data')
      return env['CLINE_SESSION_DATA_DIR'] ?? join(data, 'sessions')
    },
    levels: [ANY, /\.messages\.json$/],
    idOf: folderOf,
    projectOf: (path) => projectInManifest(path.replace(/\.messages\.json$/, '.json')),
  },
  { name: 'Cline in VS Code', ...tasksOf('saoudrizwan.claude-dev') },
  { name: 'Roo Code', ...tasksOf('rooveterinaryinc.roo-cline') },
  { name: 'Kilo Code', ...tasksOf('kilocode.kilo-code') },
  {
    name: 'Goose',
    // Since 1.10, its sessions are in a database.
    root: ({ env, home }) => join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'goose', 'sessions'),
    levels: [LINES],
  },
  {
    name: 'Aider',
    // Each project has a file, and no list of the projects exists.
    root: ({ folder }) => folder,
    levels: [/^\.aider\.chat\.history\.md$/],
    projectOf: (_path, root) => root,
  },
]

function filesOfPi(folder: string): Omit<Agent, 'name'> {
  return {
    // Both agents read this variable; who has both sets it for each of them alone.
    root: ({ env, home }) => join(env['PI_CODING_AGENT_DIR'] ?? join(home, folder, 'agent'), 'sessions'),
    levels: [/./, LINES],
    // TIME_UUID.jsonl
    idOf: (path) => nameOf(path).split('_').at(-1) ?? '',
  }
}

/** The tasks of an extension of VS Code. */
function tasksOf(extension: string): Omit<Agent, 'name'> {
  return {
    root: ({ env, home }) => {
      const settings =
        process.platform === 'darwin'
          ? join(home, 'Library', 'Application Support')
          : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'))
      return join(settings, 'Code', 'User', 'globalStorage', extension, 'tasks')
    },
    levels: [ANY, TASK_FILE],
    idOf: folderOf,
    projectOf: () => undefined,
  }
}
