import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'

/** Installs the dependencies of a folder's package.json, unless those of its lock file are installed. */
export async function installIn(folder: string): Promise<void> {
  const installed = `${folder}node_modules/.package-lock.json`
  const names = (file: string): string => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> }
    const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { dependencies: object }
    return Object.keys(dependencies)
      .map((name) => `${name}@${packages[`node_modules/${name}`]?.version ?? ''}`)
      .join()
  }
  if (existsSync(installed) && names(installed) === names(`${folder}package-lock.json`)) return
  // Their scripts after the installation only report it, or check a binary.
  await runIn(folder, ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}

/** What a program has written, and its exit code. */
export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program in a folder. @returns what it has written to stdout @throws Error if its exit code is not 0 */
export async function runIn(folder: string, command: string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryIn(folder, command, options)
  if (code === 0) return stdout
  throw new Error(`${command.join(' ')} failed (exit code ${code ?? 'none'}):\n${stdout}${stderr}`)
}

interface RunOptions {
  env?: Record<string, string | undefined>
  stdin?: string
}

/** The same, with any exit code. */
export async function tryIn(folder: string, command: string[], { env, stdin = '' }: RunOptions = {}): Promise<Run> {
  const [program = '', ...options] = command
  const child = spawn(program, options, { cwd: folder, env: { ...process.env, CI: 'true', NO_COLOR: '1', ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  child.stdin.on('error', () => undefined).end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}
