import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkRequest, promptOf } from './check-request.ts'
import { openTrial, type RealClient, type Trial } from './trial.ts'

/** How to use a client without its user interface. */
export interface Client extends RealClient {
  /** Sends one request; the first one starts a session, the others resume it. */
  ask: (trial: Trial, prompt: string, isFirst: boolean) => Promise<unknown>
  /** Compacts the session of the stopped client with the documented command. */
  compact: (trial: Trial, query: string) => Promise<unknown>
  /** The name of the client in `precis list`, and its command to resume, as a command without a user interface. */
  listed?: { agent: string; answering: (command: string) => string }
}

/**
 * Makes a session of three requests with the real client and a fake model, compacts it, resumes it, and checks what the
 * client sends to its model; then the same again, with the last turn kept. Everything is on loopback addresses and in a
 * scratch folder. The exit code is 1 if a check fails.
 */
export async function tryResume(client: Client): Promise<void> {
  const { trial, fakeModel: model, close } = await openTrial(client)
  try {
    for (const number of [1, 2, 3]) await client.ask(trial, promptOf(number), number === 1)
    checkRequest(model, 3, { gone: [], kept: ['request-1', 'answer-1', 'output-of-request-2'] })
    await client.compact(trial, 'reply=native&keepRecentTokens=1')
    await client.ask(trial, promptOf(4), false)
    checkRequest(model, 4, { gone: markersOf(1, 2), kept: ['answer-3'] })
    await client.compact(trial, 'reply=native&keepRecentTokens=300')
    await client.ask(trial, promptOf(5), false)
    checkRequest(model, 5, { gone: markersOf(1, 2, 3), kept: ['output-of-request-4', 'answer-4'] })
  } finally {
    await close()
  }
}

/**
 * Returns the file below a folder whose name has the ending and that was written last. Gemini CLI begins a second file when it
 * resumes a session, but goes on writing to the first one.
 */
export function newestFile(folder: string, ending: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))
  const files = names.map((name) => ({ path: join(folder, name), writtenAt: statSync(join(folder, name)).mtimeMs }))
  const newest = files.sort((a, b) => a.writtenAt - b.writtenAt).at(-1)
  if (newest === undefined) throw new Error(`The client has written no file "*${ending}" in ${folder}.`)
  return newest.path
}

/** Appends a compaction to a session file, with the command of docs/agents.md. */
export function appendCompaction({ run }: Trial, file: string, query: string): Promise<string> {
  const curl = `curl -fsS "$PRECIS/compaction?${query}" --data-binary @"$0" -o new && cat new >> "$0"`
  return run('sh', '-c', curl, file)
}

/** Returns what only the requests and answers of some turns have in them. */
export const markersOf = (...turns: number[]): string[] =>
  turns.flatMap((turn) => [`request-${turn}`, `answer-${turn}`, `output-of-request-${turn}`])
