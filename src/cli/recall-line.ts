import { resolve } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { quote } from '../text/controls.ts'
import { isPlainLine } from '../text/plain-line.ts'
import type { Cli } from './cli.ts'
import type { NamedSession } from './find-session.ts'
import { homesOf, locateSessions, lookUp } from './locate-sessions.ts'
import { sessionsNamed } from './session-ids.ts'

/**
 * Returns the line that says how an agent looks things up in its session: with a command in its shell. Undefined if the name of the
 * session is too long for it.
 */
export function writeRecallLine(source: NamedSession, cli: Cli): string | undefined {
  const name = nameOfSession(source, cli)
  if (name === undefined) return undefined
  const command = `\`${cli.command} recall ${/^[\w.-]+$/.test(name) ? name : quote(name)} WORDS\``
  const lines = [`Run ${command} in the shell (--help lists its options).`, `Run ${command} in the shell.`]
  return lines.find(isPlainLine)
}

/** Returns the shortest name by which the command line finds a session from any folder. */
function nameOfSession(source: NamedSession, cli: Cli): string | undefined {
  if (source.kind !== 'file') return source.kind === 'database' ? source.id : undefined
  const { path } = source
  const places = Object.values<Agent>(AGENTS)
    .flatMap(homesOf)
    .map((home) => lookUp(home, path, cli))
  const id = places.find((place) => place.id !== undefined)?.id
  return id !== undefined && sessionsNamed(id, locateSessions(cli)).length === 1 ? id : resolve(path)
}
