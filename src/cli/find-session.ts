import { readFileSync, statSync } from 'node:fs'
import { locateSessions, type Machine } from './agents.ts'
import { CliError } from './exit.ts'
import { exportOpencode, isOpencodeId } from './opencode.ts'

/** The session that an argument names. */
export type SessionSource = { kind: 'file'; path: string } | { kind: 'opencode'; id: string } | { kind: 'stdin' }

/** Shorter beginnings of ids are likely mistakes. */
const SHORTEST_ID = 4

/** Returns the session that an argument names: `-`, a file, or the beginning of an id. @throws CliError */
export function findSession(argument: string, machine: Machine): SessionSource {
  if (argument === '-') return { kind: 'stdin' }
  if (isFile(argument)) return { kind: 'file', path: argument }
  if (isOpencodeId(argument)) return { kind: 'opencode', id: argument }
  const found = /[/\\]/.test(argument) || argument.length < SHORTEST_ID ? [] : locatedBy(argument, machine)
  const [first, second] = found
  if (first?.path === undefined)
    throw new CliError('notFound', `There is no file and no session "${argument}". \`precis list\` shows the sessions.`)
  if (second !== undefined) {
    const ids = found.slice(0, 5).map(({ id, agent }) => `${id} (${agent})`)
    throw new CliError('notFound', `"${argument}" is the beginning of several ids: ${ids.join(', ')}. Give more of it.`)
  }
  return { kind: 'file', path: first.path }
}

function locatedBy(beginning: string, machine: Machine) {
  const sessions = locateSessions(machine).filter(({ id }) => id.startsWith(beginning))
  const exact = sessions.filter(({ id }) => id === beginning)
  return exact.length > 0 ? exact : sessions
}

function isFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true)
    throw new CliError('notFound', `${path} is a folder. Give a session file, or an id of \`precis list\`.`)
  return found !== undefined
}

/** Reads a session. @throws CliError */
export async function readSession(source: SessionSource): Promise<Buffer> {
  const bytes = await readSource(source)
  if (bytes.length === 0) throw new CliError('notFound', 'The session is empty.')
  return bytes
}

async function readSource(source: SessionSource): Promise<Buffer> {
  switch (source.kind) {
    case 'opencode':
      return exportOpencode(source.id)
    case 'stdin': {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    }
    case 'file':
      try {
        return readFileSync(source.path)
      } catch (cause) {
        throw new CliError('notFound', `${source.path} cannot be read: ${(cause as Error).message}`, { cause })
      }
  }
}
