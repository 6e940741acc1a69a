import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hooksOf, isHookedAgent } from '../../agents/hooks.ts'
import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { findProgram } from '../find-program.ts'
import type { DoctorFinding } from './doctor-finding.ts'

/** How long a program may take to answer. */
const TIMEOUT_MS = 30_000

/** Returns the version that an agent says of itself; undefined if its command does not run. */
export function readAgentVersion(command: string, { env, folder }: Setup): string | undefined {
  const program = findProgram(command, env, folder)
  if (program === undefined) return undefined
  const { stdout, status } = spawnSync(program, ['--version'], { env, timeout: TIMEOUT_MS, encoding: 'utf8' })
  return status === 0 ? /(?<!\d)\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?/.exec(stdout)?.[0] : undefined
}

/** Starts the tool server as an agent does, and opens a session of the Model Context Protocol (revision 2025-06-18). */
export async function checkToolServer({ start, env, folder }: Setup): Promise<DoctorFinding> {
  const request = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'precis-doctor', version: '1' } },
  }
  const output = await runUntil([...start, 'mcp'], {
    env,
    folder,
    input: `${JSON.stringify(request)}\n`,
    mark: '"serverInfo"',
  })
  if (output.includes('"serverInfo"')) return { kind: 'ok', text: 'The tool server answers.' }
  return { kind: 'fault', text: `The tool server does not answer. Run it to see why: ${start.join(' ')} mcp` }
}

/** Runs a hook with an event of a session that has nothing in it yet: it must do nothing, without an error. */
export async function checkHook(
  { id }: InstallTarget,
  { start, env, folder }: Setup,
): Promise<DoctorFinding | undefined> {
  if (!isHookedAgent(id)) return undefined
  const event = Object.keys(hooksOf(id).events).at(-1) ?? ''
  const scratch = mkdtempSync(join(tmpdir(), 'precis-doctor-'))
  try {
    const path = join(scratch, 'session.jsonl')
    writeFileSync(path, '{}\n')
    const input = JSON.stringify({
      ...{ session_id: 'doctor', transcript_path: path, cwd: folder, hook_event_name: event },
      // Of opencode, and of Cline.
      ...{ sessionID: 'ses_doctor', tokens: 1, sessionContext: { rootSessionId: 'doctor' } },
    })
    const [command = '', ...words] = start
    const { status, stderr, error } = spawnSync(command, [...words, 'hook', id, event], {
      env,
      input,
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    })
    if (status === 0 && stderr === '') return { kind: 'ok', text: `The hook for ${event} runs.` }
    const why = stderr.trim() || (error?.message ?? `it ended with exit code ${status ?? 'none'}`)
    return { kind: 'fault', text: `The hook for ${event} fails: ${why}` }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

interface Talk {
  env: Setup['env']
  folder: string
  input: string
  /** What ends the program, once it has said it. */
  mark: string
}

function runUntil([command = '', ...words]: readonly string[], { env, folder, input, mark }: Talk): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { env, cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(mark)) child.kill()
    })
    child.stdin.on('error', () => undefined)
    child.on('error', () => {
      resolve('')
    })
    child.on('close', () => {
      resolve(output)
    })
    child.stdin.write(input)
  })
}
