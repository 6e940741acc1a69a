import type { Environment } from '../../src/environment.ts'
import { spawnScript, type ScriptProcess } from './spawn-script.ts'

const SERVER = new URL('../../src/server.ts', import.meta.url)

/** Starts the service as a process of its own, on a free port. */
export const spawnService = (environment: Environment, flags: readonly string[] = []): Promise<ScriptProcess> =>
  spawnScript(SERVER, { env: { PORT: '0', ...environment }, flags })
