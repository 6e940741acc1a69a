import { fieldsOf, jsonOrText } from '../../session/entry.ts'
import { parseToolCalls } from '../../session/parse-tool-calls.ts'
import { findBlocks } from '../../text/find-in-text.ts'

/** A tool call in a foreign syntax, with its offsets in UTF-16 units. */
export interface ForeignCall {
  name: string
  arguments: unknown
  start: number
  end: number
}

/** Finds the tool calls of an assistant's text, in order, in the syntax that it uses first. */
export function findForeignCalls(text: string): ForeignCall[] {
  for (const { open, close, read } of SYNTAXES) {
    const blocks = findBlocks(text, open, close)
    if (blocks.length === 0) continue
    return blocks.flatMap(({ start, end, open: [, name = ''], inner }) =>
      read(name, inner).map((call) => ({ ...call, start, end })),
    )
  }
  return []
}

interface Syntax {
  open: RegExp
  close: string
  /** @param name the name in the opening mark, if there is one */
  read: (name: string, inner: string) => { name: string; arguments: unknown }[]
}

const readJson: Syntax['read'] = (name, json) => [{ name, arguments: jsonOrText(json) }]

/** The syntaxes of tool calls, as oh-my-pi 18.2.3 writes them for each family of models. */
const SYNTAXES: readonly Syntax[] = [
  // Anthropic: <invoke name="read"><parameter name="path">"a.ts"</parameter></invoke>
  {
    open: /<invoke name="([^"<>]+)">/,
    close: '</invoke>',
    read: (name, body) => [{ name, arguments: readParameters(body) }],
  },
  // Hermes, Qwen: <tool_call>{"name":"read","arguments":{...}}</tool_call>
  { open: /<tool_call>/, close: '</tool_call>', read: (_name, json) => [readNamedCall(json)] },
  // Harmony: commentary to=functions.read<|message|>{...}<|call|>
  { open: /commentary to=functions\.([\w-]{1,100})<\\?\|message\\?\|>/, close: '<\\|call\\|>', read: readJson },
  { open: /commentary to=functions\.([\w-]{1,100})<\|message\|>/, close: '<|call|>', read: readJson },
  // Kimi: functions.read:0<|tool_call_argument_begin|>{...}<|tool_call_end|>
  {
    open: /functions\.([\w-]{1,100}):\d{1,6}<\|tool_call_argument_begin\|>/,
    close: '<|tool_call_end|>',
    read: readJson,
  },
  // DeepSeek: <｜tool▁call▁begin｜>read<｜tool▁sep｜>{...}<｜tool▁call▁end｜>
  { open: /<｜tool▁call▁begin｜>([^<]{1,100})<｜tool▁sep｜>/, close: '<｜tool▁call▁end｜>', read: readJson },
  // Gemini: ```tool_code, default_api.read(path="a.ts")
  {
    open: /```tool_code\n/,
    close: '\n```',
    read: (_name, code) => parseToolCalls(code.replace(/\bdefault_api\./g, '')),
  },
]

const readParameters = (body: string): Record<string, unknown> =>
  Object.fromEntries(
    findBlocks(body, /<parameter name="([^"<>]+)">/, '</parameter>').map(({ open: [, key = ''], inner }) => [
      key,
      jsonOrText(inner.trim()),
    ]),
  )

function readNamedCall(json: string): { name: string; arguments: unknown } {
  const { name, arguments: values } = fieldsOf(jsonOrText(json))
  return { name: typeof name === 'string' ? name : 'unknown', arguments: values ?? {} }
}
