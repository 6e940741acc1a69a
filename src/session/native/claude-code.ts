import { fieldsOf } from '../entry.ts'
import { wrapCompactSummary } from '../formats/claude-code-user.ts'
import { appendLines, copyTexts, lineStart, type NativeFormat, type PostedSession } from './native-format.ts'
import { rawLines, type RawLine } from './raw-json.ts'

/** Fields that all lines of a session have, in the order of the client. */
const COMMON = ['userType', 'entrypoint', 'cwd', 'sessionId', 'version', 'gitBranch', 'slug', 'agentId'] as const

interface ClaudeMaterial {
  start: '' | '\n'
  common: { [name in (typeof COMMON)[number]]?: string }
  /** The lines that stay, in the order of the file. */
  keptIds: readonly string[]
  /** The last line before the compaction. */
  lastId: string
  isSidechain: boolean
}

/**
 * Writes a compaction as Claude Code does: a boundary, and the summary as a message of the user (2.1.330). The kept lines stay
 * where they are; the boundary has their ids (`preservedMessages`).
 */
export const claudeCodeNative: NativeFormat<ClaudeMaterial> = {
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

/** Finds the lines that stay. An answer may have several lines, one for each block, with the same `message.id`. */
function findKept({ body, kept, isWhole }: PostedSession): Omit<ClaudeMaterial, 'start'> | undefined {
  const places = new Set(kept.map(({ index }) => index))
  const answers = new Set<string>()
  const keptIds = new Set<string>()
  let lastId: string | undefined
  let source: RawLine['value'] | undefined
  const first = kept.reduce((earliest, entry) => (entry.index < earliest.index ? entry : earliest))
  for (const { index, value } of rawLines(body, { start: first.range.start, index: first.index })) {
    const { uuid, type, isSidechain } = value
    if (typeof uuid !== 'string') continue
    const answer = type === 'assistant' ? fieldsOf(value['message'])['id'] : undefined
    const answerId = typeof answer === 'string' && answer !== '' ? answer : undefined
    const isKept = places.has(index) || (answerId !== undefined && answers.has(answerId))
    if (isKept) keptIds.add(uuid)
    if (isKept && answerId !== undefined) answers.add(answerId)
    if (isKept || (isWhole && isSidechain !== true)) lastId = uuid
    if (isKept && (source === undefined || type === 'assistant')) source = value
  }
  if (source === undefined || lastId === undefined) return undefined
  return {
    common: copyTexts(source, COMMON),
    keptIds: [...keptIds],
    lastId,
    isSidechain: source['isSidechain'] === true,
  }
}
