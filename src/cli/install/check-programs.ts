import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hooksOf, isHookedAgent, type AgentHooks, type HookAction } from '../../agents/hooks.ts'
import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { findProgram } from '../find-program.ts'
import type { LocatedSession } from '../locate-sessions.ts'
import { valueAt, valueOfJson } from './edit-json.ts'
import { readSettingsFile } from './settings-file.ts'

/** What a check of an installation has found: a fault needs something done, a remark does not. */
export interface DoctorFinding {
  kind: 'ok' | 'remark' | 'fault'
  text: string
}

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

/**
 * Runs a hook as the agent does: that of a compaction with the newest session, or another one with a session that has nothing in it yet,
 * if there is none. It must end without an error. Code picks the sentences, and what the hook keeps is removed.
 */
export async function checkHook(
  { id }: InstallTarget,
  { start, env, folder }: Setup,
  newest: LocatedSession | undefined,
): Promise<DoctorFinding | undefined> {
  if (!isHookedAgent(id)) return undefined
  const { events } = hooksOf(id)
  const compaction = newest === undefined ? undefined : eventWith(events, ['summarize', 'replace', 'add'])
  const event = compaction ?? Object.keys(events).at(-1) ?? ''
  const scratch = mkdtempSync(join(tmpdir(), 'precis-doctor-'))
  try {
    const input = compaction === undefined ? inputOfNothing(scratch) : inputOf(newest)
    const [command = '', ...words] = start
    const { status, stderr, error } = spawnSync(command, [...words, 'hook', id, event, '--no-config'], {
      env: { ...env, XDG_STATE_HOME: scratch },
      input: JSON.stringify({ cwd: folder, hook_event_name: event, ...input }),
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    })
    const what = `The hook for ${event}`
    if (status === 0 && stderr === '')
      return { kind: 'ok', text: `${what} runs${compaction === undefined ? '' : ' with the newest session'}.` }
    const why = stderr.trim() || (error?.message ?? `it ended with exit code ${status ?? 'none'}`)
    return { kind: 'fault', text: `${what} fails: ${why}` }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Finds out whether the user has switched off all hooks of an agent: ours do nothing then. */
export function checkHookSwitch(target: InstallTarget, setup: Setup): DoctorFinding | undefined {
  const { file, path, value } = target.hooksOff?.(setup) ?? {}
  if (file === undefined || path === undefined) return undefined
  const whole = resolve(setup.folder, file)
  if (valueAt(valueOfJson(readSettingsFile(whole).text ?? ''), path) !== value) return undefined
  const text = `${target.name} runs no hooks: \`${path.join('.')}\` is ${value} in ${whole}. Remove it there if the hooks are to run.`
  return { kind: 'fault', text }
}

const eventWith = (events: AgentHooks['events'], wanted: readonly HookAction[]): string | undefined =>
  Object.entries(events).find(([, actions]) => actions.some((action) => wanted.includes(action)))?.[0]

/** What an agent says of an event; opencode names only the session. */
const inputOf = ({ id, path }: Partial<LocatedSession> = {}): object => ({
  session_id: id,
  transcript_path: path,
  sessionID: id,
})

function inputOfNothing(folder: string): object {
  const path = join(folder, 'session.jsonl')
  writeFileSync(path, '{}\n')
  return {
    ...{ session_id: 'doctor', transcript_path: path },
    // Of opencode, and of Cline.
    ...{ sessionID: 'ses_doctor', tokens: 1, sessionContext: { rootSessionId: 'doctor' } },
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
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(output))
    child.stdin.write(input)
  })
}
