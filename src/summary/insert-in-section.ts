/** Where sections end that the model wrote: evidence, the turn's context, and file tags stand behind them. */
const AFTER_SECTIONS = /^(?:## Evidence$|---$|<(?:read|modified)-files>$)/

/**
 * Adds lines to a section's end. Where there is no such section it is added: behind the section `after`, if that is
 * there, else behind all sections.
 * @param heading with its marks, such as `## Critical Context`
 */
export function insertInSection(
  summary: string,
  heading: string,
  { lines, after }: { lines: readonly string[]; after?: string },
): string {
  const all = summary.split('\n')
  const end = sectionEnd(all, heading)
  if (end !== undefined) return splice(all, end, lines)
  const behind = after === undefined ? undefined : sectionEnd(all, after)
  const last = all.findIndex((line) => AFTER_SECTIONS.test(line))
  return splice(all, behind ?? (last < 0 ? all.length : last), ['', heading, ...lines])
}

/** The line behind a section's last one that is not blank. */
function sectionEnd(lines: readonly string[], heading: string): number | undefined {
  const start = lines.findIndex((line) => line.trim().toLowerCase() === heading.toLowerCase())
  if (start < 0) return undefined
  let end = start + 1
  while (end < lines.length && !/^#{1,2} /.test(lines[end] ?? '') && !AFTER_SECTIONS.test(lines[end] ?? '')) end += 1
  return end
}

function splice(lines: readonly string[], at: number, added: readonly string[]): string {
  let end = at
  while (end > 0 && (lines[end - 1] ?? '').trim() === '') end -= 1
  const before = lines.slice(0, end).filter((line, index) => index < end - 1 || line.trim() !== '(none)')
  const behind = lines.slice(end)
  const gap = behind.length > 0 && behind[0]?.trim() !== '' ? [''] : []
  return [...before, ...added, ...gap, ...behind].join('\n').replace(/^\n+/, '')
}
