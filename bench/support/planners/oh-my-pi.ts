import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SessionEntry } from '../session-entry.ts'
import { KEEP_RECENT_TOKENS, type Planner } from './planner.ts'

interface Compaction {
  DEFAULT_COMPACTION_SETTINGS: object
  findCutPoint: (
    entries: readonly SessionEntry[],
    tokenizer: object,
    start: number,
    end: number,
    keepRecentTokens: number,
  ) => unknown
  prepareCompaction: (
    entries: readonly SessionEntry[],
    settings: object,
    model: undefined,
    tokenizer: object,
  ) => unknown
}

interface Tokens {
  Tokenizer: new (model?: { tokenizer: string }) => object
}

const SOURCES = 'node_modules/@oh-my-pi/pi-agent-core/src'

/**
 * Creates oh-my-pi's planner, which only Bun can load.
 * @param encoding the tokenizer of the session's model; without it, four bytes count as a token
 */
export async function createPlanner(folder: string, encoding?: string): Promise<Planner> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, SOURCES, file)).href)
  const compaction = (await load('compaction/index.ts')) as Compaction
  const { Tokenizer } = (await load('tokenizer.ts')) as Tokens
  const settings = { ...compaction.DEFAULT_COMPACTION_SETTINGS, keepRecentTokens: KEEP_RECENT_TOKENS }
  // It caches its counts, so each run has a new one.
  const makeTokenizer = (): object => new Tokenizer(encoding === undefined ? undefined : { tokenizer: encoding })
  return (entries) => ({
    cut: () => compaction.findCutPoint(entries, makeTokenizer(), 0, entries.length, KEEP_RECENT_TOKENS),
    plan: () => compaction.prepareCompaction(entries, settings, undefined, makeTokenizer()),
  })
}
