import { readFileSync } from 'node:fs'

/** Returns a session of `test/fixtures/sessions/`. */
export const readSession = (name: string): string =>
  readFileSync(new URL(`../fixtures/sessions/${name}.jsonl`, import.meta.url), 'utf8').trimEnd()

/** Returns the lines of such a session. */
export const readLines = (name: string): Record<string, unknown>[] =>
  readSession(name)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
