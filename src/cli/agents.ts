import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Environment } from '../environment.ts'
import { projectInFile, projectInManifest } from './session-project.ts'

/** A session of an agent on this machine. */
export interface LocatedSession {
  agent: string
  id: string
  /** Absent for agents with a database. */
  path?: string
  modifiedMs: number
  /** Returns the folder that the agent worked in; undefined if it is not recorded. */
  project: () => string | undefined
}

export interface Machine {
  env: Environment
  /** The user's home folder. */
  home: string
  /** The current folder. */
  folder: string
}

interface Agent {
  name: string
  /** The folder below which its sessions are. */
  root: (machine: Machine) => string
  /** One pattern for each level below the root; the last one is that of the file. */
  levels: readonly RegExp[]
  /** The id of a session; default: the name of its file without the extension. */
  idOf?: (path: string) => string
  projectOf?: (path: string, root: string) => string | undefined
}

const ANY = /^[^.]/
const LINES = /\.jsonl$/
const TASK_FILE = /^api_conversation_history\.json$/

const nameOf = (path: string): string => basename(path).replace(/\.jsonl?$/, '')
const folderOf = (path: string): string => basename(dirname(path))

/** Where each agent keeps its sessions, and the variables with which a user moves them. */
const AGENTS: readonly Agent[] = [
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
    projectOf: (path, root) => relative(root, path).split(sep)[0],
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

/** Returns the sessions of all agents that store them as files, the newest first. Symbolic links are not followed. */
export function locateSessions(machine: Machine): LocatedSession[] {
  const seen = new Set<string>()
  const sessions = AGENTS.flatMap((agent) => {
    const root = agent.root(machine)
    const paths = filesBelow(root, agent.levels).filter((path) => !seen.has(path))
    for (const path of paths) seen.add(path)
    return paths.flatMap((path) => locate(agent, root, path))
  })
  return sessions.sort((a, b) => b.modifiedMs - a.modifiedMs)
}

/** Returns where an agent looks for its sessions, and the id under which it finds a file there; undefined for other files. */
export function lookUp(name: string, path: string, machine: Machine): { root: string; id: string | undefined } {
  const agent = AGENTS.find((one) => one.name === name)
  if (agent === undefined) throw new Error(`No agent has the name ${name}.`)
  const { root, levels, idOf = nameOf } = agent
  const folder = root(machine)
  const names = relative(realPath(folder), realPath(path)).split(sep)
  const isThere = names.length === levels.length && levels.every((level, index) => level.test(names[index] ?? ''))
  return { root: folder, id: isThere ? idOf(path) : undefined }
}

/** Folders may be symbolic links, such as `~/.claude`. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function locate(
  { name, idOf = nameOf, projectOf = projectInFile }: Agent,
  root: string,
  path: string,
): LocatedSession[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0) return []
  return [{ agent: name, id: idOf(path), path, modifiedMs: found.mtimeMs, project: () => projectOf(path, root) }]
}

function filesBelow(folder: string, [level, ...others]: readonly RegExp[]): string[] {
  if (level === undefined) return []
  const entries = entriesOf(folder).filter(({ name }) => level.test(name))
  if (others.length === 0) return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => filesBelow(join(folder, name), others))
}

/** A folder that is not there, or that may not be read, has no sessions. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
