import type { Entry } from '../../session/entry.ts'
import { rawLines, type RawLine } from './raw-json.ts'
import type { PostedSession } from '../appender.ts'

/** A line of a tree by `uuid` and `parentUuid`, as Claude Code and Qwen Code write them. */
export interface TreeLine extends RawLine {
  uuid: string
}

/**
 * Returns the lines of a tree from the first kept one on, in the order of the file. A line that stands twice counts where it
 * stands first, as for the reader.
 */
export function treeLines({ body, kept }: Pick<PostedSession, 'body' | 'kept'>): TreeLine[] {
  const first = kept.reduce((earliest, entry) => (entry.index < earliest.index ? entry : earliest))
  const lines = new Map<string, TreeLine>()
  for (const line of rawLines(body, { start: first.range.start, index: first.index })) {
    const { uuid } = line.value
    if (typeof uuid === 'string' && uuid !== '' && !lines.has(uuid)) lines.set(uuid, { ...line, uuid })
  }
  return [...lines.values()]
}

/** Returns the numbers of the lines with entries, in the order of the branch, each once. */
export const lineNumbers = (entries: readonly Entry[]): number[] => [...new Set(entries.map(({ index }) => index))]

/**
 * Returns the line that a compaction follows: the last kept one, or the end of the lines without a message after it, such
 * as attachments and telemetry. The last line of the file may be another one: that of a side chain, or a repeated line.
 * @param lines those that may follow it
 */
export function endOfChain(session: PostedSession, lines: readonly TreeLine[], lastKept: string): string {
  if (!session.isWhole || lines.length === 0) return lastKept
  const earlier = idsBefore(session)
  let last = lastKept
  for (const { uuid, value } of lines) if (value['parentUuid'] === last && !earlier.has(uuid)) last = uuid
  return last
}

const ID = /"uuid": ?"([^"\\]{1,100})"/g

/** Returns the ids before the first kept line, and ids that are quoted there. A line with one of them is not a new one. */
function idsBefore({ body, kept: [{ range }] }: PostedSession): Set<string> {
  const text = body.toString('utf8', 0, range.start)
  return new Set(Array.from(text.matchAll(ID), ([, id = '']) => id))
}
