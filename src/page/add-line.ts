const ADDED_HEADING = '## Added by Hand'

/** Returns a summary with a line in its last section, which is before the lists of files. */
export function addLine(summary: string, line: string): string {
  const at = summary.search(/\n<(?:read|modified)-files>\n/)
  const [text, files] = at < 0 ? [summary, ''] : [summary.slice(0, at), summary.slice(at)]
  const heading = text.includes(ADDED_HEADING) ? '' : `\n${ADDED_HEADING}\n`
  return `${text.trimEnd()}\n${heading}- ${line}\n${files}`
}
