import { estimateTextTokens } from '../../plan/estimate-tokens.ts'

/**
 * Shortens a summary by whole sections: each one that still fits is kept, in order, so that a long one in the middle
 * does not cost the short ones after it. Where not even the first fits, its lines are kept as far as they do.
 * @param maxTokens by our estimate
 */
export function cutAtSections(summary: string, maxTokens: number): string {
  const [first = '', ...others] = summary.split(/\n(?=#{1,6} )/)
  const kept = [estimateTextTokens(first) <= maxTokens ? first : cutAtLines(first, maxTokens)]
  let left = maxTokens - estimateTextTokens(kept[0] ?? '')
  for (const section of others) {
    const tokens = estimateTextTokens(`\n${section}`)
    if (tokens > left) continue
    kept.push(section)
    left -= tokens
  }
  return kept.join('\n').trim()
}

function cutAtLines(text: string, maxTokens: number): string {
  const lines: string[] = []
  let left = maxTokens
  for (const line of text.split('\n')) {
    left -= estimateTextTokens(`${line}\n`)
    if (left < 0) break
    lines.push(line)
  }
  if (lines.join('').trim() !== '') return lines.join('\n')
  const characters = Math.floor((text.length * maxTokens) / estimateTextTokens(text))
  return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')
}
