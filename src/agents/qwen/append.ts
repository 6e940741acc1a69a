import { SNAPSHOT_ACKNOWLEDGEMENT } from '../apis/gemini-parts.ts'
import { appendLines, copyTexts, lineStart, type SessionAppender, type PostedSession } from '../appender.ts'
import { elementText, endOfChain, indexesOf, readElement } from '../shared/elements.ts'
import { rawField, rawItems } from '../shared/raw-json.ts'

/** Fields that all lines of a session have. */
const COMMON = ['sessionId', 'cwd', 'version', 'gitBranch'] as const

interface QwenMaterial {
  start: '' | '\n'
  common: { [name in (typeof COMMON)[number]]?: string }
  /** The kept contents, as JSON. */
  contents: readonly string[]
  beginsWithAnswer: boolean
  /** The last line before the compaction. */
  lastId: string
}

/** Writes a compaction as Qwen Code does: a line `chat_compression` with the new history by value (0.24.4). */
export const qwenAppender: SessionAppender<QwenMaterial> = {
  prepare(session) {
    if (!session.isLines) return undefined
    const found = findKept(session)
    return found && { start: lineStart(session), ...found }
  },

  write({ start, common, contents, beginsWithAnswer, lastId }, { summary, tokensBefore, tokensAfter, at, uuid }) {
    const content = (role: string, text: string): string => JSON.stringify({ role, parts: [{ text }] })
    const history = [
      content('user', wrapQwenSummary(summary)),
      ...(beginsWithAnswer ? [] : [content('model', SNAPSHOT_ACKNOWLEDGEMENT)]),
      ...contents,
    ]
    const line = JSON.stringify({
      ...{ uuid: uuid('compression'), parentUuid: lastId, ...common, timestamp: new Date(at).toISOString() },
      ...{ type: 'system', provenance: 'system', subtype: 'chat_compression' },
    })
    const info = JSON.stringify({
      ...{ originalTokenCount: tokensBefore, newTokenCount: tokensAfter, newTokenCountIsEstimated: true },
      ...{ compressionStatus: 1, triggerReason: 'manual', originalTokenCountIsEstimated: true },
    })
    const payload = `{"info":${info},"compressedHistory":[${history.join(',')}],"completedToolCallIds":[]}`
    return appendLines(start, [`${line.slice(0, -1)},"systemPayload":${payload}}`])
  },
}

const RESUME =
  'Resume the prior task using the summary above. Continue from the last in-flight step; do not acknowledge the summary, ' +
  'do not re-introduce, do not greet the user again.'

/** Returns a summary as Qwen Code writes it (0.24.4). */
export const wrapQwenSummary = (summary: string): string => `<summary>\n${summary}\n</summary>\n\n${RESUME}`

function findKept(session: PostedSession): Omit<QwenMaterial, 'start'> | undefined {
  const { body, elements, kept } = session
  const [first] = kept
  const byIndex = new Map(elements.map((element) => [element.index, element]))
  const lines = indexesOf(kept).flatMap((index) => byIndex.get(index) ?? [])
  const contents = lines.flatMap((line) =>
    contentsOf(elementText(body, line), line.index === first.index ? (first.part ?? 0) : 0),
  )
  const last = lines.at(-1)
  if (last === undefined) return undefined
  return {
    common: copyTexts(readElement(body, last, COMMON), COMMON),
    contents,
    beginsWithAnswer: rawField(contents[0] ?? '{}', 'role') === '"model"',
    lastId: endOfChain(session, last),
  }
}

/** Returns the contents of a line: its message, or those that an earlier compaction has kept. */
function contentsOf(line: string, part: number): string[] {
  const history = rawField(line, 'systemPayload', 'compressedHistory')
  return history === undefined ? [rawField(line, 'message') ?? []].flat() : rawItems(history).slice(part)
}
