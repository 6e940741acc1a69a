/**
 * Strips what a model wrote around its summary: thinking, tool calls, and a code fence around the whole text.
 * @returns the summary, trimmed; empty when there is none
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
 * Strips a model's thinking that its server left in the text: pairs of tags that open at the start of a line;
 * everything before a closing tag whose opening tag was part of the prompt (DeepSeek R1, Qwen 3:
 * github.com/vllm-project/vllm/issues/31045); and the whole text when it opens a tag that it never closes. Tags in the
 * middle of a line belong to the summary.
 * @returns the rest, untrimmed
 */
function stripThinking(text: string): string {
  const withoutPairs = stripPairs(text)
  return OPENED_FIRST.test(withoutPairs) ? '' : stripToLoneClosing(withoutPairs)
}

/**
 * Linear: a tag that is not closed after one position is not closed after a later one either, so it is searched once.
 */
function stripPairs(text: string): string {
  const rest: string[] = []
  const unclosed = new Set<string>()
  const lower = text.toLowerCase()
  // Lower case may have another length ("İ"), which shifts all positions: then tags are matched as written.
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
    rest.push(text.slice(end, match.index))
    end = closing + tag.length
  }
  return rest.join('') + text.slice(end)
}

function stripToLoneClosing(text: string): string {
  const match = CLOSED.exec(text)
  if (match === null) return text
  const before = text.slice(0, match.index)
  const after = text.slice(match.index + match[0].length)
  // Thinking rarely has headings, and a summary has them: after a heading the tag is a mention, unless it is alone on
  // its line.
  const hasOwnLine = /(?:^|\n)[ \t]*$/.test(before.slice(-200)) && /^[ \t]*(?:\r?\n|$)/.test(after.slice(0, 200))
  return HEADING.test(before) && !hasOwnLine ? text : after
}

interface Syntax {
  /** Matches the start of a call, but not a mention of the tag in prose or between backticks. */
  opening: RegExp
  /**
   * Returns the closing tag. Without one in the text, the call takes the rest: servers stop models at their closing
   * tag.
   */
  closing: (opening: RegExpExecArray) => string | undefined
}

/** Syntaxes of tool calls that models were trained on: they may call tools that the request never offered. */
const SYNTAXES: readonly Syntax[] = [
  // Qwen, Hermes and GLM: <tool_call>; Anthropic: <function_calls> around <invoke>. A call's content begins with JSON,
  // a tag, or (GLM) a name on a line of its own.
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
 * Strips tool calls that a model wrote as text, with their tags and content.
 * @returns the rest, untrimmed
 */
function stripToolCalls(text: string): string {
  return SYNTAXES.reduce(stripSyntax, text)
}

function stripSyntax(text: string, { opening, closing }: Syntax): string {
  const rest: string[] = []
  let end = 0
  for (const match of text.matchAll(opening)) {
    if (match.index < end) continue
    rest.push(text.slice(end, match.index))
    const tag = closing(match)
    const at = tag === undefined ? -1 : text.indexOf(tag, match.index)
    if (tag === undefined || at === -1) return rest.join('')
    end = at + tag.length
  }
  return rest.join('') + text.slice(end)
}

const FENCE = /^(`{3,}|~{3,}(?!~))[ \t]*(?:([^\s`]+)[ \t]*)?$/

/**
 * Removes a code fence around a whole text. Fences inside stay: one with a language opens a block, one without closes
 * it.
 * @param text a trimmed text
 * @returns the text inside the fence, trimmed; the text itself when the fence is missing or ends before the last line
 */
function unwrapFence(text: string): string {
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
    if (language !== undefined) depth += 1
    else if (depth > 0) depth -= 1
    else return true
  }
  return depth > 0
}
