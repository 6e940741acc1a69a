import { realpathSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import type { Environment } from '../environment.ts'
import { quote } from '../text/controls.ts'

/** Returns the words with which this command line was called, and can be called again in the same folder. */
export function ownCommand([node = 'node', script = 'precis']: readonly string[], env: Environment): string {
  if (isCalledByNpx(script, env)) return 'npx precis'
  if (isFirstInPath('precis', script, env)) return 'precis'
  if (basename(script) === 'precis') return quote(script)
  return `${isFirstInPath('node', node, env) ? 'node' : quote(node)} ${quote(script)}`
}

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
  const found = (env['PATH'] ?? '').split(delimiter).map((folder) => realPathOf(join(folder, name)))
  const first = found.find((path) => path !== undefined)
  return first !== undefined && first === realPathOf(program)
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
