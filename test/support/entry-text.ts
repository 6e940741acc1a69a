import type { Entry } from '../../src/session/entry.ts'

/** Returns all words of an entry: of its message, its calls, and its compaction. */
export function textOfEntry(entry: Entry | undefined): string {
  if (entry === undefined) return ''
  const { message, compaction } = entry
  const summary = compaction?.summary ?? ''
  if (message === undefined) return summary
  if (!('content' in message)) return [JSON.stringify(message), summary].join('\n')
  const blocks = message.content.map((block) =>
    block.type === 'text' ? block.text : block.type === 'toolCall' ? JSON.stringify(block.arguments) : '',
  )
  return [...blocks, summary].join('\n')
}
