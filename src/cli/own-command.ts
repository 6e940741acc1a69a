import { basename } from 'node:path'
import { realPath } from '../agents/shared/session-file.ts'
import type { Environment } from '../environment.ts'
import { readPackage } from '../own-package.ts'
import { quote } from '../text/controls.ts'
import { findProgram } from './find-program.ts'

/** Returns the words with which this command line was called, and can be called again in the same folder. */
export function ownCommand([node = 'node', script = 'precis']: readonly string[], env: Environment): string {
  // Of its cache, npx knows only the name of the package; of a folder, that of the program.
  if (isCalledByNpx(script, env)) return `npx ${/[\\/]_npx[\\/]/.test(script) ? readPackage().name : 'precis'}`
  if (isFirstInPath('precis', script, env)) return 'precis'
  if (basename(script) === 'precis') return quote(script)
  return `${isFirstInPath('node', node, env) ? 'node' : quote(node)} ${quote(script)}`
}

/** Returns a message in which commands such as `precis list` are written as they can be called here. */
export const withOwnCommand = (message: string, command: string): string =>
  message.replace(/(?<=`|: )precis (?=[a-z-])/g, `${command} `)

/**
 * Returns whether npx runs the script. npm sets these variables; other programs that a program of npm starts inherit them, so
 * that the name of the script is compared too.
 */
const isCalledByNpx = (script: string, env: Environment): boolean =>
  env['npm_lifecycle_event'] === 'npx' &&
  /^['"]?precis['"]?$/.test(env['npm_lifecycle_script'] ?? '') &&
  basename(script) === 'precis'

/** Returns whether a shell finds a program by its name alone. */
function isFirstInPath(name: string, program: string, env: Environment): boolean {
  const first = findProgram(name, env, '')
  return first !== undefined && realPath(first) === realPath(program)
}
