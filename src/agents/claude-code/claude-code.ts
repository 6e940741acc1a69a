import { join } from 'node:path'
import { fieldsOf, parseFields } from '../../session/entry.ts'
import type { Agent } from '../agent.ts'
import { SUMMARY_END, SUMMARY_PREAMBLE, SUMMARY_START, wrapCompactSummary } from '../apis/claude-code-text.ts'
import { CLAUDE_TAGS } from '../apis/client-tags.ts'
import { appendLines, copyTexts, lineStart, type PostedSession, type SessionAppender } from '../appender.ts'
import { ANY_FOLDER, JSON_LINES, UUID, type Caller, type OwnSession } from '../home.ts'
import { endOfChain, indexesOf, readElement } from '../shared/elements.ts'
import { folderOf, readText } from '../shared/session-file.ts'
import { filled } from '../shared/values.ts'
import { CLAUDE_CODE_TARGET, folderOfClaude } from './install-target.ts'
import { claudeCodeReader } from './read.ts'
import { claudeCodeWriter } from './write.ts'

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
const claudeCodeAppender: SessionAppender<ClaudeMaterial> = {
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
    lastId: endOfChain(session, last),
    isSidechain: source['isSidechain'] === true,
  }
}

export const CLAUDE_CODE = {
  id: 'claude-code',
  reader: claudeCodeReader,
  appender: claudeCodeAppender,
  writer: claudeCodeWriter,
  tags: CLAUDE_TAGS,
  summaryMessages: [{ start: SUMMARY_PREAMBLE, after: SUMMARY_START, before: SUMMARY_END }],
  folderIn: ({ cwd }) => cwd,
  withOutput(line, callId, text) {
    const message = fieldsOf(line['message'])
    const { content } = message
    const isOutput = (block: unknown): boolean => fieldsOf(block)['tool_use_id'] === callId
    if (!Array.isArray(content) || !content.some(isOutput)) return undefined
    const blocks = content.map((block: unknown) => (isOutput(block) ? { ...fieldsOf(block), content: text } : block))
    return { ...line, message: { ...message, content: blocks } }
  },
  homes: [
    {
      id: 'claude-code',
      name: 'Claude Code',
      root: (machine) => join(folderOfClaude(machine), 'projects'),
      levels: [ANY_FOLDER, JSON_LINES],
      isProject: (folder, path) => folder.replace(/[^a-z\d]/gi, '-') === folderOf(path),
      resume: {
        id: UUID,
        idIn: ({ sessionId }) => sessionId,
        place: (id) => join('PROJECT', `${id}.jsonl`),
        command: (id) => `claude --resume ${id}`,
      },
      mcpClient: { name: /^claude-code$/, ownSession },
    },
  ],
  installTargets: [CLAUDE_CODE_TARGET],
} satisfies Agent

/**
 * Claude Code 2.1.330 has a file for each of its processes, with the session that it has now; its variable keeps the id from
 * before `/clear`. The line with a call is written before the call is made.
 */
function ownSession({ meta, env, home, parents }: Caller): OwnSession {
  const folder = join(folderOfClaude({ env, home }), 'sessions')
  const live = parents().flatMap((pid) => filled(parseFields(readText(join(folder, `${pid}.json`)))['sessionId']) ?? [])
  const [id] = live
  const mark = filled(meta['claudecode/toolUseId'])
  return id === undefined ? { id: env['CLAUDE_CODE_SESSION_ID'], mark } : { id, isCurrent: true, mark }
}
