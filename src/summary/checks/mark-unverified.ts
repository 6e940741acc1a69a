const MARK = '(unverified)'
const BEHIND = String.raw` \(unverified\)`
const QUOTE = '["\'`”]'

/** What code wrote, and blocks that would not be code any more. */
const UNTOUCHED =
  /(^(?:```|~~~)[^]*?^(?:```|~~~)|<(read-files|modified-files)>[^]*?<\/\2>|^## Evidence\n(?:- .*\n?)*)/gm

/** Marks each mention of what stands nowhere in the input, behind the quotes or backticks around it, and never twice. */
export function markUnverified(summary: string, unknown: readonly string[]): string {
  if (unknown.length === 0) return summary
  const longestFirst = [...unknown]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const mention = new RegExp(
    String.raw`(?<![\w/.-])(?:\./)?(?:${longestFirst.join('|')})(?![\w/-])(?:${QUOTE}(?!${BEHIND})|(?!${QUOTE}|${BEHIND}))`,
    'g',
  )
  let at = 0
  const parts: string[] = []
  for (const match of summary.matchAll(UNTOUCHED)) {
    parts.push(summary.slice(at, match.index).replace(mention, `$& ${MARK}`), match[0])
    at = match.index + match[0].length
  }
  parts.push(summary.slice(at).replace(mention, `$& ${MARK}`))
  return parts.join('')
}
