import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { folderOf } from '../support/temp-folder.ts'

/** A home folder, and a folder of a project, both empty. */
export interface Desk {
  home: string
  folder: string
}

export const openDesk = (t: Test): Desk => ({ home: realpathSync(folderOf(t)), folder: realpathSync(folderOf(t)) })

type Fields = Record<string, unknown>

interface Written extends Desk {
  id: string
  /** The messages, or other entries of pi. */
  entries: readonly Fields[]
  /** Default: that of the desk. */
  project?: string
  /** How long ago the session was last changed. */
  secondsAgo?: number
  agent?: 'pi' | 'oh-my-pi'
}

/**
 * As many seconds ago a session that runs was changed: the clock of a busy machine does not make it one that has not changed in the last
 * minute.
 */
export const RUNNING = -3600

/** Writes a session of pi, whose entries have the ids e1, e2 and so on. Returns its path. */
export function writePi({
  home,
  folder,
  id,
  entries,
  project = folder,
  secondsAgo = RUNNING,
  agent = 'pi',
}: Written): string {
  const header = { type: 'session', version: 3, id, timestamp: timeOf(0), cwd: project }
  const root = join(home, agent === 'pi' ? '.pi' : '.omp', 'agent/sessions')
  return writeSession(join(root, `--p--/2026_${id}.jsonl`), writeLines([header, ...linked(entries)]), secondsAgo)
}

export const timeOf = (minute: number): string => new Date(Date.UTC(2026, 2, 24, 8, minute)).toISOString()

/** Returns lines as agents write them: each has its end. */
export const writeLines = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Returns entries of pi, each after the one before it. */
export function linked(entries: readonly Fields[], start = 1): Fields[] {
  return entries.map((entry, index) => {
    const number = start + index
    const ids = { id: `e${number}`, parentId: number === 1 ? null : `e${number - 1}`, timestamp: timeOf(number) }
    return 'role' in entry ? { type: 'message', ...ids, message: entry } : { ...ids, ...entry }
  })
}

export const user = (content: string): Fields => ({ role: 'user', content })
export const says = (text: string): Fields => ({ role: 'assistant', content: [{ type: 'text', text }] })
export const calls = (id: string, name: string, args: Fields): Fields => ({
  role: 'assistant',
  content: [{ type: 'toolCall', id, name, arguments: args }],
})
export const returns = (toolCallId: string, text: string, isError = false): Fields => ({
  ...{ role: 'toolResult', toolCallId, toolName: 'bash', isError },
  content: [{ type: 'text', text }],
})
export const compaction = (summary: string, firstKeptEntryId: string): Fields => ({
  ...{ type: 'compaction', summary, firstKeptEntryId },
})

/** Writes a file that was last changed so many seconds ago. Returns its path. */
export function writeSession(path: string, text: string | Buffer, secondsAgo = RUNNING): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const seconds = Date.now() / 1000 - secondsAgo
  utimesSync(path, seconds, seconds)
  return path
}

/** A session with a compaction: two requests are replaced by a summary, and the third one is not. */
export const CONVERSATION: readonly Fields[] = [
  user('Fix the tax of invoices in src/tax.js. Never change test/tax.test.js.'),
  calls('c1', 'bash', { command: 'npm test' }),
  returns('c1', 'not ok 3 - rounds half up\n  expected 20.13, got 20.12\nCommand exited with code 1', true),
  calls('c2', 'edit', { path: 'src/tax.js', oldText: 'Math.floor(tax)', newText: 'Math.round(tax)' }),
  returns('c2', 'Edited src/tax.js'),
  calls('c3', 'bash', { command: 'npm test && git commit -am "Round half up"' }),
  returns('c3', '[main 3f2a1bc] Round half up\n 1 file changed'),
  says('The tax is rounded half up now, and all tests pass.'),
  user('Which port does the preview use?'),
  says('The preview listens on port 4173.'),
  compaction('## Goal\nThe tax of invoices is fixed.', 'e12'),
  user('Now write the changelog.'),
  says('The changelog has a line for it.'),
]
