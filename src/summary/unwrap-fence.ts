const FENCE = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*$/

/**
 * Takes away a code fence around the whole of a text, and leaves one that is only its first or last part. Fences within
 * are kept: one with a language opens a block, one without closes it.
 * @param text without white space around it
 * @returns the text within, trimmed; the text itself where there is no such fence
 */
export function unwrapFence(text: string): string {
  const lines = text.split(/\r?\n/)
  const fence = FENCE.exec(lines[0] ?? '')?.[1]
  if (fence === undefined || lines.length < 2 || lines.at(-1)?.trimEnd() !== fence) return text
  const inner = lines.slice(1, -1)
  return closesEarly(inner, fence) ? text : inner.join('\n').trim()
}

function closesEarly(lines: readonly string[], fence: string): boolean {
  let depth = 0
  for (const line of lines) {
    const [, marks = '', language] = FENCE.exec(line) ?? []
    if (!marks.startsWith(fence)) continue
    if (language !== '') depth += 1
    else if (depth > 0) depth -= 1
    else return true
  }
  return depth > 0
}
