/**
 * Strips what a model wrote around its summary: thinking, tool calls, a code fence around the whole.
 * @returns the summary, trimmed; empty where nothing else was there
 */
export function stripWrapping(text: string): string {
  return unwrapFence(stripToolCalls(stripThinking(text)).trim())
}
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
interface Syntax {
  /** How a call begins; a mention of the tag, in prose or between backticks, is none. */
  opening: RegExp
  /** How it ends; without it all the rest is the call, since models are stopped at their closing tag. */
  closing: (opening: RegExpExecArray) => string | undefined
}

/** Calls of tools that the request never offered, in the syntaxes that models were trained on. */
const SYNTAXES: readonly Syntax[] = [
  // Qwen, Hermes and GLM: <tool_call>; Anthropic: <function_calls> around <invoke>. A call's own text begins with
  // JSON, a tag, or (GLM) a name on a line of its own.
  {
    opening:
      /(?<!`)<((?:antml:)?(?:tool_calls?|function_calls?|invoke|tool_use))(?: [^<>]{0,200})?>(?=\s{0,20}[<{[]|\s{0,20}[\w.-]{1,100}\n\s{0,20}<)/g,
    closing: ([, name = '']) => `</${name}>`,
  },
  // Mistral
  { opening: /(?<!`)\[TOOL_CALLS\](?=\s{0,20}(?:[[{]|[\w.-]{1,100}(?:\[ARGS\])?\{))/g, closing: () => undefined },
  // Kimi
  { opening: /<\|tool_calls_section_begin\|>/g, closing: () => '<|tool_calls_section_end|>' },
  // DeepSeek
  { opening: /<｜tool▁calls▁begin｜>/g, closing: () => '<｜tool▁calls▁end｜>' },
]

/**
 * Strips tool calls that a model wrote as text, tags and content.
 * @returns what else was said, untrimmed
 */
export function stripToolCalls(text: string): string {
  return SYNTAXES.reduce(stripSyntax, text)
}

function stripSyntax(text: string, { opening, closing }: Syntax): string {
  const kept: string[] = []
  let end = 0
  for (const match of text.matchAll(opening)) {
    if (match.index < end) continue
    kept.push(text.slice(end, match.index))
    const tag = closing(match)
    const at = tag === undefined ? -1 : text.indexOf(tag, match.index)
    if (tag === undefined || at === -1) return kept.join('')
    end = at + tag.length
  }
  return kept.join('') + text.slice(end)
}
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
