import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realPath } from '../../agents/shared/session-file.ts'
import { ownProgram, readPackage } from '../../own-package.ts'

/** Node.js at these paths stays at them when it is updated, and the path that a process knows of itself does not. */
const STABLE_PATHS = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node']

/**
 * Returns the words that start this command line later, from any folder and with any PATH: the absolute paths of Node.js and of
 * the script. The cache of npx may be emptied at any time; from it, the package is started by its name and version.
 */
export function startWords(platform: NodeJS.Platform = process.platform): string[] {
  const script = fileURLToPath(ownProgram('cli/main'))
  if (!script.includes(`${sep}_npx${sep}`)) return [nodePath(process.execPath), script]
  const { name, version } = readPackage()
  // Windows starts `npx.cmd` only through its shell.
  return [...(platform === 'win32' ? ['cmd', '/c'] : []), 'npx', '--yes', `${name}@${version}`]
}

function nodePath(real: string): string {
  return STABLE_PATHS.find((path) => realPath(path) === real) ?? real
}
