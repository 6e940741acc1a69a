import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import type { Machine } from '../../agents/home.ts'
import { unquotableIn, type AgentSetting, type InstallTarget, type Setup } from '../../agents/install-target.ts'
import { realPath } from '../../agents/shared/session-file.ts'
import { ownProgram, readPackage } from '../../own-package.ts'
import { isHttpAddress } from '../../text/host-name.ts'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit.ts'
import { findProgram } from '../find-program.ts'
import { optionTextOf, type Values } from '../read-arguments.ts'

/** All agents into which Précis can be installed. */
export const TARGETS: readonly InstallTarget[] = Object.values<Agent>(AGENTS)
  .flatMap(({ installTargets = [] }) => installTargets)
  .toSorted((a, b) => a.id.localeCompare(b.id))

/** Returns the agents that arguments name. @throws CliError for an unknown one */
export const targetsNamed = (names: readonly string[]): InstallTarget[] => [...new Set(names)].map(targetNamed)

function targetNamed(name: string): InstallTarget {
  const target = TARGETS.find(({ id }) => id === name)
  if (target !== undefined) return target
  const ids = TARGETS.map(({ id }) => id)
  throw new CliError('usage', `There is no agent "${name}" to install into. Known are ${ids.join(', ')}.`)
}

/** Returns what an installation is for, by the options of a command. @throws CliError for a wrong address */
export function setupOf(values: Values, { env, home, folder }: Cli): Setup {
  const url = optionTextOf(values, 'url')
  if (url !== undefined && !isHttpAddress(url))
    throw new CliError('usage', '--url must be an address such as http://127.0.0.1:8080.')
  return {
    ...{ env, home, folder, start: startWords() },
    ...(values['project'] === true && { project: folder }),
    ...(url !== undefined && { url: url.replace(/\/$/, '') }),
  }
}

/** Returns the settings of an agent with the whole paths of their files: a variable that moves them may have a path from the current folder. */
export const settingsFor = (target: InstallTarget, setup: Setup): AgentSetting[] =>
  target.settings(setup).map((setting) => ({ ...setting, file: resolve(setup.folder, setting.file) }))

/** Returns what of an agent is on this machine: its program, only the folder that it creates, or neither. */
export function foundOf({ command, folder }: InstallTarget, machine: Machine): 'program' | 'folder' | undefined {
  if (command !== undefined && findProgram(command, machine.env, machine.folder) !== undefined) return 'program'
  return existsSync(folder(machine)) ? 'folder' : undefined
}

/** Refuses agents without settings for a project. @throws CliError */
export function refuseWithoutProjects(targets: readonly InstallTarget[], { project }: Setup): void {
  const without = project === undefined ? undefined : targets.find(({ hasProjects }) => !hasProjects)
  if (without !== undefined)
    throw new CliError('usage', `${without.name} has no settings for one project: leave out --project.`)
}

/** Refuses a place of this program, or of Node.js, on Windows that no command line of a hook can have. @throws CliError */
export function refuseUnquotable(setup: Setup): void {
  const path = unquotableIn(setup)
  if (path !== undefined)
    throw new CliError(
      'failed',
      `A command line of a hook cannot name ${path} for all shells of Windows. Nothing was changed. Install Node.js and Précis on a drive ` +
        'such as C:, into folders without %, !, $ and `, and run the command again.',
    )
}

/** Node.js at these paths stays at them when it is updated, and the path that a process knows of itself does not. */
const STABLE_PATHS = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node']

/**
 * Returns the words that start this command line later, from any folder and with any PATH: the absolute paths of Node.js and of
 * the script. The cache of npx may be emptied at any time; from it, the package is started by its name and version.
 */
function startWords(): string[] {
  const script = fileURLToPath(ownProgram('cli/main'))
  if (!script.includes(`${sep}_npx${sep}`))
    return [STABLE_PATHS.find((path) => realPath(path) === process.execPath) ?? process.execPath, script]
  const { name, version } = readPackage()
  // Windows starts `npx.cmd` only through its shell.
  return [...(process.platform === 'win32' ? ['cmd', '/c'] : []), 'npx', '--yes', `${name}@${version}`]
}

/** Says that an agent, or its program, was not found. An agent without a command of its own is one of an editor. */
export function sayMissing(target: InstallTarget, cli: Cli): void {
  const found = foundOf(target, cli)
  const { name, command } = target
  if (found === undefined) cli.terminal.say(`${name} was not found on this machine. Its settings are written anyway.`)
  else if (found === 'folder' && command !== undefined)
    cli.terminal.say(
      `The program of ${name}, \`${command}\`, was not found in PATH: only its folder is there. Its settings are written anyway.`,
    )
}
