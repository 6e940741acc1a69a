import { existsSync, readFileSync } from 'node:fs'
import { chain, type SessionEntry } from './session-entry.ts'

const FILE = new URL('../../../shared/sessions/pi-v1-large.jsonl', import.meta.url)

/**
 * Reads the real session of 1 MB, and adds ids to its entries, as clients do when they open a file of version 1.
 * @returns undefined where the file is missing
 */
export function readRealSession(): SessionEntry[] | undefined {
  if (!existsSync(FILE)) return undefined
  const lines = readFileSync(FILE, 'utf8').split('\n').filter(Boolean)
  const entries = lines.map((line) => JSON.parse(line) as SessionEntry).filter(({ type }) => type !== 'session')
  return chain(entries.map((entry, index) => ({ ...entry, id: `r${index}` })))
}
