import { wrapCompactSummary } from '../apis/claude-code-text.ts'
import { appendLines, copyTexts, lineStart, type SessionAppender, type PostedSession } from '../appender.ts'
import { endOfChain, indexesOf, readElement } from '../shared/elements.ts'

/** Fields that all lines of a session have, in the order of the client. */
const COMMON = ['userType', 'entrypoint', 'cwd', 'sessionId', 'version', 'gitBranch', 'slug', 'agentId'] as const

interface ClaudeMaterial {
  start: '' | '\n'
  common: { [name in (typeof COMMON)[number]]?: string }
  /** The lines that stay, oldest first. */
  keptIds: readonly string[]
  /** The last line before the compaction. */
  lastId: string
  isSidechain: boolean
}

/**
 * Writes a compaction as Claude Code does: a boundary, and the summary as a message of the user (2.1.330). The kept lines stay
 * where they are; the boundary has their ids (`preservedMessages`).
 */
export const claudeCodeAppender: SessionAppender<ClaudeMaterial> = {
  prepare(session) {
    if (!session.isLines) return undefined
    const found = findKept(session)
    return found && { start: lineStart(session), ...found }
  },

  write({ start, common, keptIds, lastId, isSidechain }, compacted) {
    const { summary, tokensBefore, tokensAfter, at, uuid } = compacted
    const [boundaryId, summaryId] = [uuid('boundary'), uuid('summary')]
    const timestamp = new Date(at).toISOString()
    const boundary = {
      ...{ parentUuid: null, logicalParentUuid: lastId, isSidechain, type: 'system' },
      ...{ subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false, timestamp },
      ...{ uuid: boundaryId, level: 'info' },
      compactMetadata: {
        ...{ trigger: 'manual', preTokens: tokensBefore, postTokens: tokensAfter },
        preservedSegment: { headUuid: keptIds[0], anchorUuid: summaryId, tailUuid: keptIds.at(-1) },
        preservedMessages: { anchorUuid: summaryId, uuids: keptIds, allUuids: keptIds },
      },
      ...common,
    }
    const message = { role: 'user', content: wrapCompactSummary(summary, ENDING) }
    const line = {
      ...{ parentUuid: boundaryId, isSidechain, type: 'user', message },
      ...{ isVisibleInTranscriptOnly: true, isCompactSummary: true, uuid: summaryId, timestamp },
      ...common,
    }
    return appendLines(
      start,
      [boundary, line].map((one) => JSON.stringify(one)),
    )
  },
}

/** The words after the summary, as Claude Code writes them where the earlier lines stay in the file. */
const ENDING =
  'from before compaction (like exact code snippets, error messages, or content you generated), ' +
  'read the earlier lines of the transcript of this session.\n' +
  'Continue the conversation from where it left off without asking the user any further questions.\n\n' +
  'The messages after this summary are the most recent messages from before compaction, kept verbatim. ' +
  'The summary was written without seeing them, so something it says has not happened yet may already have happened in them.'

/** Finds the lines that stay. The summary of an earlier compaction does not: the new one replaces it. */
function findKept(session: PostedSession): Omit<ClaudeMaterial, 'start'> | undefined {
  const { body, elements, kept: entries } = session
  const indexes = new Set<number | undefined>(indexesOf(entries.filter(({ type }) => type !== 'compaction')))
  // An answer may have several lines, one for each block.
  const kept = elements.filter(({ entryIndex }) => indexes.has(entryIndex))
  const [first, last] = [kept[0], kept.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const source = readElement(body, kept.findLast(({ kind }) => kind === 'assistant') ?? first, [
    ...COMMON,
    'isSidechain',
  ])
  const keptIds = new Set(kept.map(({ id }) => String(id)))
  return {
    common: copyTexts(source, COMMON),
    keptIds: [...keptIds],
    lastId: endOfChain(session, last, keptIds),
    isSidechain: source['isSidechain'] === true,
  }
}
