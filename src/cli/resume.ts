import { existsSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { quote } from '../text/controls.ts'
import type { Machine } from './agents.ts'
import { lookUp } from './locate-sessions.ts'
import { sessionInExport } from './opencode.ts'
import { idInFile, writerOf } from './session-project.ts'

/** How a user continues with a session file of an agent that looks for sessions by their ids, in the folder of the project. */
interface Way {
  /** As `precis list` names it. */
  agent: string
  /** The ids by which the agent finds a session: others are names that a user gave to a copy. */
  id: RegExp
  /** Where the agent looks for a session, below its own folder. Words in capitals stand for names that vary. */
  place: (id: string) => string
  command: (id: string) => string
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const WAYS: Readonly<Record<string, Way>> = {
  'claude-code': {
    agent: 'Claude Code',
    id: UUID,
    place: (id) => join('PROJECT', `${id}.jsonl`),
    command: (id) => `claude --resume ${id}`,
  },
  codex: {
    agent: 'Codex',
    id: UUID,
    place: (id) => join('YEAR', 'MONTH', 'DAY', `rollout-TIME-${id}.jsonl`),
    command: (id) => `codex resume ${id}`,
  },
  gemini: {
    agent: 'Gemini CLI',
    // Without an id in its first line, a session has the name of its file.
    id: /^(?!session-)[\w-]+$/,
    place: () => join('PROJECT', 'chats', 'session-TIME-ID'),
    command: (id) => `gemini --resume ${id}`,
  },
  qwen: {
    agent: 'Qwen Code',
    id: UUID,
    place: (id) => join('PROJECT', 'chats', `${id}.jsonl`),
    command: (id) => `qwen --resume ${id}`,
  },
}

/**
 * Returns the line that says how to continue with a session file, and with no other session. An agent finds only files in its own
 * folder; of others, the line says where they belong.
 * @param body the whole session, of a format that is one document
 */
export function continueWithFile(
  format: string,
  { path, body }: { path: string; body: string },
  machine: Machine,
): readonly string[] {
  switch (format) {
    case 'opencode':
      return continueWithExport(path, body, machine)
    case 'pi':
      return continueWithPath(path)
    case 'cline-legacy':
      return [`Continue in ${extensionOf(path, machine)}: open the task from its history.`]
    default:
      return SENTENCES[format] ?? continueByWay(WAYS[format], path, machine)
  }
}

/** Formats of which no command continues a session: what is known, as docs/agents.md says it. */
const SENTENCES: Readonly<Record<string, readonly [string]>> = {
  'openhands-v1': [
    'Continue with OpenHands: put the last line, as a file of its own, into the folder of the conversation (docs/agents.md).',
  ],
  'openhands-v0': [
    'The trajectory ends with the compaction. Whether OpenHands 0.x continues with it was not tested (docs/agents.md).',
  ],
  atif: [
    'The trajectory has the compaction, and copies of the kept steps after it. ' +
      'Continue with a program that reads ATIF (docs/agents.md).',
  ],
}

/** pi and oh-my-pi take the path of any file, and work in the folder that it names. */
function continueWithPath(path: string): string[] {
  const writer = writerOf(path)
  if (writer === undefined) return []
  return [`Continue with: ${writer === 'pi' ? 'pi --session' : 'omp --resume'} ${quote(resolve(path))}`]
}

function continueByWay(way: Way | undefined, path: string, machine: Machine): string[] {
  if (way === undefined) return []
  const { root, id, project } = lookUp(way.agent, path, machine)
  if (id !== undefined && way.id.test(id))
    return [
      project === undefined
        ? `The folder of the session's project is unknown. Continue with this command in it: ${way.command(id)}`
        : continueWith(way.command(id), project, machine),
    ]
  const own = idInFile(path)
  const place = join(root, way.place(own !== undefined && way.id.test(own) ? own : 'ID'))
  const file = extname(place) === '' ? place + extname(path) : place
  return [`${way.agent} does not find the session in this file. Its place is: ${file}`]
}

/** The extensions of VS Code that have the format of Cline before 3.x. */
function extensionOf(path: string, machine: Machine): string {
  const names = ['Roo Code', 'Kilo Code', 'Cline in VS Code']
  return names.find((name) => lookUp(name, path, machine).id !== undefined) ?? 'the extension'
}

/** Returns the line that says how to continue with a session of opencode's database. */
export const continueWithOpencode = (id: string, folder: string | undefined, machine: Machine): string[] => [
  continueWith(`opencode --session ${id}`, folder, machine),
]

/** opencode reads an export only with its command, which moves the session to the project of the current folder. */
function continueWithExport(path: string, body: string, machine: Machine): string[] {
  const { id, folder } = sessionInExport(body)
  if (id === undefined) return []
  const command = `opencode import ${quote(resolve(path))} && opencode --session ${id}`
  if (folder === undefined || existsSync(folder)) return [continueWith(command, folder, machine)]
  return [`Continue with this command in the folder of the project (it was ${folder}): ${command}`]
}

/** Agents look for a session in the folder where it began. */
function continueWith(command: string, folder: string | undefined, machine: Machine): string {
  if (folder === undefined || folder === machine.folder) return `Continue with: ${command}`
  const here = `cd ${quote(folder)} && ${command}`
  return existsSync(folder)
    ? `Continue with: ${here}`
    : `The folder of the session is missing: ${folder}. Create it, and continue with: ${here}`
}
