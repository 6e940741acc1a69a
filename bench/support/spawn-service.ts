import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../src/environment.ts'
import { spawnScript, type ScriptProcess } from './spawn-script.ts'

const ROOT = new URL('../../', import.meta.url)

let isBuilt = false

/**
 * Starts the service as a separate process on a free port, built as it is deployed.
 * @throws where it cannot be built
 */
export function spawnService(environment: Environment, flags: readonly string[] = []): Promise<ScriptProcess> {
  if (!isBuilt) build()
  return spawnScript(new URL('dist/server.js', ROOT), { env: { PORT: '0', ...environment }, flags, isBuilt: true })
}

function build(): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: fileURLToPath(ROOT), stdio: 'inherit' })
  if (status !== 0) throw new Error('The service could not be built.')
  isBuilt = true
}
