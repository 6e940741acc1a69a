import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface SpawnOptions {
  args?: readonly string[]
  env?: Readonly<Record<string, string | undefined>>
  /** Flags for Node itself. */
  flags?: readonly string[]
  /** Whether it is JavaScript, which runs without a loader. */
  isBuilt?: boolean
}

export interface ScriptProcess {
  /** The address at which it listens: the first one that it prints. */
  url: string
  pid: number
  /** Sends SIGTERM, and resolves with the exit code once the process has ended. */
  terminate: () => Promise<number | null>
  /** Ends it as a machine that fails does. */
  kill: () => Promise<void>
}

/**
 * Starts a script that listens on 127.0.0.1 as a separate process, with only the given variables in its environment.
 */
export async function spawnScript(
  file: URL,
  { args = [], env = {}, flags = [], isBuilt = false }: SpawnOptions,
): Promise<ScriptProcess> {
  const child = spawn(
    process.execPath,
    [...flags, ...(isBuilt ? [] : ['--import', 'tsx']), fileURLToPath(file), ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
    void exited.then(() => {
      reject(new Error('It ended before it listened.'))
    })
  })
  return {
    url,
    pid: child.pid ?? 0,
    async terminate() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
