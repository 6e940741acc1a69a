import { spawn, type SpawnOptionsWithStdioTuple } from 'node:child_process'
import { statSync } from 'node:fs'
import { stateFolderOf } from '../prepared/state-folder.ts'
import { hasWriter, optionTextOf, type Values } from '../read-arguments.ts'
import { WatcherClaim } from '../prepared/watcher-claim.ts'
import { windowOfEvent, type AgentEvent } from './agent-event.ts'

/** A session is not read more often. */
const READ_EVERY_MS = 10_000

/** opencode keeps its sessions in a database: to read one takes its command some seconds. */
const EXPORT_EVERY_MS = 120_000

/** A token has at least so many bytes in a session file: its JSON is beside its text. */
export const LEAST_BYTES_PER_TOKEN = 2

/** The most tokens of a context that are not in the session: system prompt and tools. */
const MOST_TOKENS_OUTSIDE = 40_000

/** Below this share of the window, nothing is prepared. The plan of the session says it exactly: 0.7 of the threshold. */
const LEAST_SHARE = 0.5

/**
 * Starts a preparation in the background, if the session may have grown enough: by the size and the time of its file, and by what
 * was noted when it was read. The agent does not wait for it, and its end does not end it.
 */
export async function startPreparation(event: AgentEvent): Promise<void> {
  const { values, cli, notes, session } = event
  if (!hasWriter(values) && optionTextOf(values, 'url') === undefined) return
  const size = sizeOf(event)
  if (size < LEAST_BYTES_PER_TOKEN * (LEAST_SHARE * windowOfEvent(event) - MOST_TOKENS_OUTSIDE)) return
  const note = notes.read()
  const now = Date.now()
  if (now < (note.nextMs ?? 0)) return
  const { bytes = Infinity, nextBytes = 0 } = note
  if (size >= bytes && size < nextBytes) return
  if (new WatcherClaim({ path: stateFolderOf(cli), now: Date.now }).livingOther() !== undefined) return
  notes.write({ ...note, nextMs: now + (session.path === undefined ? EXPORT_EVERY_MS : READ_EVERY_MS) })
  await startChild(event)
}

/** Returns the size of a session in bytes: that of its file, or an estimate from the tokens that the agent names. */
function sizeOf({ session: { path }, input }: AgentEvent): number {
  if (path !== undefined) return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const { tokens } = input
  return typeof tokens === 'number' ? tokens * LEAST_BYTES_PER_TOKEN : Infinity
}

/** The fields of an event that a preparation needs: others may have megabytes. */
const PASSED = ['session_id', 'transcript_path', 'sessionID', 'sessionContext', 'settings', 'customInstructions']

async function startChild({ agent, event, input, cli }: AgentEvent): Promise<void> {
  const [program = process.execPath, ...words] = cli.self
  const options: SpawnOptionsWithStdioTuple<'pipe', 'ignore', 'ignore'> = {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  }
  const args = [...words, 'hook', agent, event, '--now', ...wordsOf(cli.given)]
  const child = spawn(program, args, { ...options, cwd: cli.folder, env: { ...cli.env } })
  child.unref()
  await new Promise<void>((resolve) => {
    const end = (): void => resolve()
    // A child that cannot be started prepares nothing: the next event tries again.
    child.on('error', end)
    child.stdin.on('error', end)
    child.stdin.end(JSON.stringify(Object.fromEntries(PASSED.map((name) => [name, input[name]]))), end)
  })
}

/** Returns options as they are written on a command line. */
const wordsOf = (given: Values): string[] =>
  Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => (one === true ? `--${name}` : `--${name}=${one}`)),
  )
