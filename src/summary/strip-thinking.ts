const NAMES = '(think|thinking|thought)'
const OPENED_AT_LINE_START = new RegExp(`^[ \\t]*<${NAMES}>`, 'gim')
const OPENED_FIRST = new RegExp(`^\\s*<${NAMES}>`, 'i')
const CLOSED = new RegExp(`(?<!\`)</${NAMES}>`, 'i')
const HEADING = /^#{1,6} /m

/**
 * Strips a model's thinking that its server left in the text: tags at the start of the text or of a line, with what is
 * between them; all that stands before a closing tag whose opening one was part of the prompt (DeepSeek R1, Qwen 3:
 * github.com/vllm-project/vllm/issues/31045); and all of a text that only opens one. Tags in the middle of a line are a
 * summary's own words.
 * @returns what was said, untrimmed
 */
export function stripThinking(text: string): string {
  const spoken = stripPairs(text)
  return OPENED_FIRST.test(spoken) ? '' : stripToLoneClosing(spoken)
}

/** Linear: a tag's name that is not closed behind one place is closed behind none that follows. */
function stripPairs(text: string): string {
  const kept: string[] = []
  const unclosed = new Set<string>()
  const lower = text.toLowerCase()
  // Lower case may have another length ("İ"): then nothing is found at its place, and tags are taken as written.
  const haystack = lower.length === text.length ? lower : text
  let end = 0
  for (const match of text.matchAll(OPENED_AT_LINE_START)) {
    const tag = `</${(match[1] ?? '').toLowerCase()}>`
    if (match.index < end || unclosed.has(tag)) continue
    const closing = haystack.indexOf(tag, match.index)
    if (closing === -1) {
      unclosed.add(tag)
      continue
    }
    kept.push(text.slice(end, match.index))
    end = closing + tag.length
  }
  return kept.join('') + text.slice(end)
}

function stripToLoneClosing(text: string): string {
  const match = CLOSED.exec(text)
  if (match === null) return text
  const before = text.slice(0, match.index)
  const after = text.slice(match.index + match[0].length)
  // Thinking has no headings as a rule, and a summary has: there a tag is a mention, unless it has a line to itself.
  const hasOwnLine = /(?:^|\n)[ \t]*$/.test(before.slice(-200)) && /^[ \t]*(?:\r?\n|$)/.test(after.slice(0, 200))
  return HEADING.test(before) && !hasOwnLine ? text : after
}
