/** Thinking that a server left in the text; templates also lose the opening tag. */
const THINKING = /<(think|thinking|thought)>[\s\S]*?<\/\1>/gi
const THINKING_REST = /^[\s\S]*?<\/(?:think|thinking|thought)>/i
const THINKING_UNCLOSED = /<(?:think|thinking|thought)>[\s\S]*$/i

/** Calls of tools that the request never offered, in the syntaxes that models were trained on. */
const TOOL_CALLS = [
  /<(tool_call|function_calls?|function_results|invoke|tool_use)\b[^>]*>[\s\S]*?<\/\1>/gi,
  /<(?:tool_call|function_calls?|invoke|tool_use)\b[^>]*>[\s\S]*$/gi,
  /\[TOOL_CALLS\][\s\S]*$/g,
]

/** A code fence around all of it. */
const WHOLE_FENCE = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\1\s*$/

/**
 * Strips what a model wrote around its summary: thinking, tool calls, a code fence around the whole.
 * @returns the summary, trimmed; empty where nothing else was there
 */
export function stripWrapping(text: string): string {
  const spoken = text.replace(THINKING, '').replace(THINKING_REST, '').replace(THINKING_UNCLOSED, '')
  const plain = TOOL_CALLS.reduce((rest, calls) => rest.replace(calls, ''), spoken).trim()
  const fenced = WHOLE_FENCE.exec(plain)
  // A fence that opens and closes again inside is one of several blocks, not a wrapping.
  return fenced?.[2] === undefined || fenced[2].includes(fenced[1] ?? '') ? plain : fenced[2].trim()
}
