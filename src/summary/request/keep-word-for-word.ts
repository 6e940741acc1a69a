import { insertInSection } from '../insert-in-section.ts'

/**
 * Sees to it that texts stand in a summary word for word: what is missing is put into `## Critical Context`. White space
 * and quote marks at the start of lines do not count.
 */
export function keepWordForWord(
  summary: string,
  wanted: readonly string[],
): { summary: string; status: 'kept' | 'restored' } {
  const held = plain(summary)
  const missing = wanted.filter((text) => !held.includes(plain(text)))
  if (missing.length === 0) return { summary, status: 'kept' }
  const lines = missing.map((text) => `- ${harmless(text)}`)
  return { summary: insertInSection(summary, '## Critical Context', { lines }), status: 'restored' }
}

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A line that would pass for a heading, a rule or a tag of ours is moved in by a space: it stays word for word. */
const harmless = (text: string): string => text.replace(/^(?=#{1,6} |---$|<\/?(?:read|modified)-files>)/gm, ' ')
