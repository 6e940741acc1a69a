import type { SourceElement } from '../../session/entry.ts'
import { appendLines, lineStart, type SessionAppender } from '../appender.ts'
import { elementText, partReader, readElement, splitAtCut } from '../shared/elements.ts'
import { rawField } from '../shared/raw-json.ts'
import { SUMMARY_PREFIX } from './history-summary.ts'

interface CodexMaterial {
  start: '' | '\n'
  /** The number of the new line, in rollouts whose lines have one (0.169). */
  ordinal?: number
  /** The kept items, as JSON. */
  items: readonly string[]
}

/**
 * Writes a compaction as Codex does for servers without a compaction of their own: a line `compacted` with the new history by value
 * (0.120 and 0.169). Codex adds its instructions and its environment again. Bare rollouts of 2025 have no such line.
 */
export const codexAppender: SessionAppender<CodexMaterial> = {
  prepare(session) {
    const { body, isLines, places } = session
    const last = isLines ? places.at(-1) : undefined
    if (last === undefined || !isEnvelope(body.toString('utf8', last.range.start, last.range.end))) return undefined
    const { ordinal } = readElement(body, last, ['ordinal'])
    const isNumbered = typeof ordinal === 'number' && Number.isSafeInteger(ordinal)
    // Codex adds its instructions again.
    const kept = splitAtCut(session).kept.filter(({ kind }) => kind !== 'instruction')
    return {
      start: lineStart(session),
      items: kept.map(itemReader(body)).filter((item) => item.startsWith('{')),
      ...(isNumbered ? { ordinal: ordinal + 1 } : {}),
    }
  },

  write({ start, ordinal, items }, { summary, at }) {
    const content = [{ type: 'input_text', text: SUMMARY_PREFIX + summary }]
    const history = [JSON.stringify({ type: 'message', role: 'user', content }), ...items]
    const line = JSON.stringify({
      timestamp: new Date(at).toISOString(),
      ...(ordinal === undefined ? {} : { ordinal }),
      type: 'compacted',
      payload: { message: summary },
    })
    return appendLines(start, [`${line.slice(0, -2)},"replacement_history":[${history.join(',')}]}}`])
  },
}

/**
 * Returns a function that returns an item as JSON: that of a line, or one in the history of a compaction; '' for a line without one,
 * which Codex cannot have read either.
 */
function itemReader(body: Buffer): (element: SourceElement) => string {
  const inHistory = partReader(body, (line) => rawField(line, 'payload', 'replacement_history'))
  // A message that a compaction of 2025 has taken over is on a line of its own.
  return (element) =>
    (element.part === undefined ? '' : inHistory(element)) || (rawField(elementText(body, element), 'payload') ?? '')
}

const isEnvelope = (line: string): boolean =>
  rawField(line, 'type')?.startsWith('"') === true && /^[[{]/.test(rawField(line, 'payload') ?? '')
