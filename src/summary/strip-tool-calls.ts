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
