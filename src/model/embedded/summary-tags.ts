/** The tags in the snapshots of Gemini CLI and Qwen Code. */
const SNAPSHOT_TAG =
  /<(\/?)(overall_goal|active_constraints|key_knowledge|artifact_trail|file_system_state|recent_actions|current_plan|task_state)>/g

/** Returns a snapshot with headings in place of its tags; any other text as it is. */
export const withoutSnapshotTags = (text: string): string =>
  text.trimStart().search(SNAPSHOT_TAG) === 0
    ? text.replace(SNAPSHOT_TAG, (_, slash: string, name: string) =>
        slash === '' ? `\n## ${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}\n` : '\n',
      )
    : text

/** The tags of a model's whole answer. */
const WRAPPING = ['summary', 'state_snapshot']
const THINKING = ['analysis', 'scratchpad']

/** Returns a summary without the tags around it, and without what its model thought before it wrote it. */
export function withoutTags(summary: string): string {
  const isWrapped = WRAPPING.some((name) => summary.includes(`<${name}>`))
  const spoken = isWrapped ? THINKING.reduce(withoutBlock, summary) : summary
  return [...WRAPPING, ...THINKING].reduce(withoutTag, spoken)
}

function withoutBlock(text: string, name: string): string {
  if (!text.trimStart().startsWith(`<${name}>`)) return text
  const close = `</${name}>`
  const end = text.indexOf(close)
  return end < 0 ? text : text.slice(end + close.length)
}

/** Removes a tag where a line begins or ends with it: in the middle of a sentence it is a word. */
const withoutTag = (text: string, name: string): string =>
  text.includes(`${name}>`)
    ? text
        .split('\n')
        .map((line) => withoutEdge(line, name))
        .join('\n')
    : text

function withoutEdge(line: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const trimmed = line.trim()
  const start = trimmed.startsWith(open) ? open.length : 0
  const end = trimmed.endsWith(close) && trimmed.length - close.length >= start ? -close.length : undefined
  return start === 0 && end === undefined ? line : trimmed.slice(start, end)
}
