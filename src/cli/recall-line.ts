import { resolve } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { SERVER_NAME } from '../agents/install-target.ts'
import { shellWord } from '../text/controls.ts'
import { isPlainLine } from '../text/plain-line.ts'
import type { Cli } from './cli.ts'
import { databaseWith } from './databases.ts'
import type { NamedSession } from './find-session.ts'
import { readReceipt } from './install/receipts.ts'
import { homesOf, locateSessions, lookUp } from './locate-sessions.ts'
import { sessionsNamed } from './session-ids.ts'

/**
 * Returns the line that says how an agent looks things up in its session: with the tool of an installation, and with a command in its
 * shell. Undefined if there is no such tool, and the name of the session is too long for the line.
 */
export function writeRecallLine(source: NamedSession, cli: Cli): string | undefined {
  const { name, agents } = placeOf(source, cli)
  const hasTool = agents.some((agent) => isInstalled(agent, cli))
  const command = name && `\`${cli.command} recall ${shellWord(name)} WORDS\``
  const run = hasTool ? `${TOOL}, or run` : 'Run'
  const lines = [
    ...(command === undefined
      ? []
      : [`${run} ${command} in the shell (--help lists its options).`, `${run} ${command} in the shell.`]),
    ...(hasTool ? [`${TOOL}.`] : []),
  ]
  return lines.find(isPlainLine)
}

const TOOL = `Call the tool \`recall\` of the server ${SERVER_NAME}`

/** Whether `precis install` has put the tool server into an agent, for its user or for the project in the current folder. */
const isInstalled = (agent: string, cli: Cli): boolean =>
  [undefined, cli.folder].some((project) => readReceipt(cli, { agent, project }) !== undefined)

/** Returns the agents that a session belongs to, and the shortest name by which the command line finds it from any folder. */
function placeOf(source: NamedSession, cli: Cli): { name?: string; agents: string[] } {
  if (source.kind === 'stdin') return { agents: [] }
  if (source.kind === 'database') return { name: source.id, agents: [databaseWith(source.id)?.id ?? []].flat() }
  const { path } = source
  const places = Object.values<Agent>(AGENTS)
    .flatMap(homesOf)
    .flatMap((home) => {
      const { id } = lookUp(home, path, cli)
      return id === undefined ? [] : [{ id, agent: home.id }]
    })
  const [{ id } = { id: '' }] = places
  const isEnough = id !== '' && sessionsNamed(id, locateSessions(cli)).length === 1
  return { name: isEnough ? id : resolve(path), agents: places.map(({ agent }) => agent) }
}
