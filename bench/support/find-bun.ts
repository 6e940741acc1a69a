import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds the binary in the npm package `bun`: npm has installed the one for this machine only. The package's own `bin`
 * is put in place by a script, and scripts are not run.
 * @returns undefined where there is no binary for this machine
 */
export function findBun(folder: string): string | undefined {
  const packages = join(folder, 'node_modules', '@oven')
  if (!existsSync(packages)) return undefined
  const files = readdirSync(packages).flatMap((name) => [
    join(packages, name, 'bin', 'bun'),
    join(packages, name, 'bin', 'bun.exe'),
  ])
  return files.find((file) => existsSync(file))
}
