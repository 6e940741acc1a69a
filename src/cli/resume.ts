import { existsSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { isFormatId } from '../agents/detect-format.ts'
import type { AgentHome, Machine } from '../agents/home.ts'
import { findInLines } from '../agents/shared/session-file.ts'
import { fieldsOf, parseJson } from '../session/entry.ts'
import { quote, shellWord } from '../text/controls.ts'
import type { NamedSession } from './find-session.ts'
import { homesOf, lookUp, type LocatedFile } from './locate-sessions.ts'

/** Returns the command that undoes what was written into a session file: by the id that the user has given, or by its path. */
export function undoWith({ path, id }: Extract<NamedSession, { kind: 'file' }>, command: string): string {
  return `Undo it with: ${command} restore ${shellWord(id ?? resolve(path))}`
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
): string[] {
  // A newer service may know more formats.
  if (!isFormatId(format)) return []
  const agent: Agent = AGENTS[format]
  const { continueWith } = agent
  const places = homesOf(agent).map((home) => ({ home, ...lookUp(home, path, machine) }))
  if (continueWith === undefined) return places.flatMap((place) => continueById(place, path, machine))
  const homeName = places.find(({ id }) => id !== undefined)?.home.name
  const found = continueWith({ path: resolve(path), body, homeName })
  if (found === undefined) return []
  return ['sentence' in found ? found.sentence : commandIn(found.folder, found.command, machine)]
}

/** Returns what a new session for an agent has, and where the agent looks for its file. */
export function describeNewSession(format: string, body: Uint8Array, machine: Machine): string[] {
  const agent: Agent | undefined = isFormatId(format) ? AGENTS[format] : undefined
  const [head = ''] = Buffer.from(body).toString('utf8').split('\n', 1)
  const places = (agent?.homes ?? []).flatMap(({ name, root, resume }) => {
    if (resume === undefined) return []
    const id = resume.idIn(fieldsOf(parseJson(head)))
    const place = resume.place(typeof id === 'string' && resume.id.test(id) ? id : 'ID')
    // An agent that has files of two kinds gets one of lines.
    return [`${name} finds it as: ${join(root(machine), extname(place) === '' ? `${place}.jsonl` : place)}`]
  })
  return [
    `A new session for ${format}: the summary and the newest messages. The messages that the summary replaces are only in the old session.`,
    ...places,
  ]
}

function continueById({ home, root, id, project }: LocatedFile & { home: AgentHome }, path: string, machine: Machine) {
  const { name, resume } = home
  if (resume === undefined) return []
  if (id !== undefined && resume.id.test(id)) {
    const command = resume.command(id)
    if (project !== undefined) return [commandIn(project, command, machine)]
    return [`The folder of the session's project is unknown. Continue with this command in it: ${command}`]
  }
  const own = findInLines(path, resume.idIn)
  const place = join(root, resume.place(own !== undefined && resume.id.test(own) ? own : 'ID'))
  const file = extname(place) === '' ? place + extname(path) : place
  return [`${name} does not find the session in this file. Its place is: ${file}`]
}

/** Returns the line with a command that continues a session. Agents look for it in the folder where it began. */
export function commandIn(folder: string | undefined, command: string, machine: Machine): string {
  if (folder === undefined || folder === machine.folder) return `Continue with: ${command}`
  const here = `cd ${quote(folder)} && ${command}`
  return existsSync(folder)
    ? `Continue with: ${here}`
    : `The folder of the session is missing: ${folder}. Create it, and continue with: ${here}`
}
