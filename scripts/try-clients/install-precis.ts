import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../resume/trial.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Packs Précis, and installs the package as a user would. Returns the folder of its command. */
export async function installPrecis(): Promise<string> {
  const given = process.env['TRY_PRECIS']
  if (given !== undefined) return given
  const folder = join(process.env['RESUME_TRIAL_DIR'] ?? join(tmpdir(), 'precis-resume'), 'precis')
  mkdirSync(folder, { recursive: true })
  const options = { cwd: ROOT, env: process.env }
  const packed = (await runProgram(['npm', 'pack', '--silent', '--pack-destination', folder], options)).trim()
  await runProgram(['npm', 'install', '--silent', '--global', '--prefix', folder, join(folder, packed)], options)
  return join(folder, 'bin')
}
