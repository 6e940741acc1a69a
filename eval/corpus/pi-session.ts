import type { Entry } from '../../src/session/entry.ts'
import { writeEntry } from '../../src/session/write-entry.ts'
import type { SessionFile } from '../session.ts'

/** Where a session was compacted: the entry that was kept first, and the entry after which the context was full. */
export interface CompactionPlace {
  firstKeptEntryId: string
  after: string
}

/** A compaction to write between the entries. */
export interface WrittenCompaction extends CompactionPlace {
  summary: string
}

/** A session to join, and what the ids of its entries begin with. */
export interface JoinedPart {
  file: SessionFile
  prefix: string
}

/** Returns the messages of sessions, one after the other, as one session of pi. Compactions in them are left out. */
export function writePiSession(parts: readonly JoinedPart[], compactions: readonly WrittenCompaction[] = []): string {
  const header = {
    type: 'session',
    version: 3,
    id: 'corpus',
    timestamp: '2026-10-05T08:00:00.000Z',
    cwd: '/home/dev/project',
  }
  const lines: object[] = [header]
  let parentId: string | null = null
  const push = (entry: Readonly<Record<string, unknown>>, id: string): void => {
    lines.push({
      ...entry,
      id,
      parentId,
      timestamp: new Date(Date.UTC(2026, 9, 5, 8) + lines.length * 5000).toISOString(),
    })
    parentId = id
  }
  for (const { file, prefix } of parts)
    for (const [index, entry] of messagesOf(file).entries()) {
      const id = `${prefix}${String(index + 1).padStart(4, '0')}`
      push(writeEntry({ ...entry, type: 'message' }), id)
      for (const [at, { after, ...compaction }] of compactions.entries())
        if (after === id) push({ type: 'compaction', ...compaction, tokensBefore: 0 }, `compaction${at + 1}`)
    }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

const messagesOf = ({ branch }: SessionFile): Entry[] =>
  branch.filter(({ message, compaction }) => message !== undefined && compaction === undefined)
