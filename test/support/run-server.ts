import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { compiled } from './compile-source.ts'
import { until } from './until.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the service as a process of its own, from another working directory. It ends with the test. */
export function runServer(
  t: Test,
  env: Record<string, string>,
  program = compiled('src/server.ts'),
  args: readonly string[] = [],
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return { child, output: () => output, exited }
}

/** Returns the address of the service once it listens. */
export async function listening(output: () => string): Promise<string> {
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
  await until(() => url() !== undefined)
  return url() ?? ''
}
