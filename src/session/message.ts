/**
 * The messages of a session after reading. All later layers work on these types and never on the wire format. The names
 * are those of pi's `AgentMessage`, so that `/context` can return a message unchanged.
 */

interface TextBlock {
  type: 'text'
  text: string
}

interface ThinkingBlock {
  type: 'thinking'
  thinking: string
}

export interface ToolCallBlock {
  type: 'toolCall'
  id: string
  name: string
  /** Any JSON value, usually an object. Missing arguments are `{}`, so that they can always be written as JSON. */
  arguments: unknown
}

/** An image without its data: code only counts and names images, and `/context` copies them from the request. */
interface ImageBlock {
  type: 'image'
  /** Its block in pi's format, or in that of OpenAI's chat API: only where the request has neither, and whole messages are needed. */
  source?: Readonly<Record<string, unknown>>
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolCallBlock | ImageBlock

/** Token counts that a provider reported for one assistant message; a missing count is 0. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens?: number
}

/** The fields that every message may have. */
interface Counted {
  /** The tokens of the whole message, if parts of it were trimmed when it was read. */
  tokens?: number
  /** The folder in which its commands run and its paths begin, where the session says it. */
  cwd?: string
}

export interface UserMessage extends Counted {
  role: 'user'
  content: ContentBlock[]
}

export interface AssistantMessage extends Counted {
  role: 'assistant'
  content: ContentBlock[]
  /** `stop`, `toolUse`, `length`, `error`, `aborted`, or any other text. */
  stopReason?: string
  errorMessage?: string
  provider?: string
  model?: string
  usage?: Usage
  /** When it was written, in milliseconds since the epoch: only with usage, of which a later prune takes away. */
  timestamp?: number
  /** The usage, if compactions that are before the answer are newer than it. */
  keptUsage?: KeptUsage
}

/** A usage that is that of the context before the first of so many compactions, the last ones before its answer. */
export interface KeptUsage {
  usage: Usage
  compactions: number
}

export interface ToolResultMessage extends Counted {
  role: 'toolResult'
  toolCallId: string
  toolName: string
  content: ContentBlock[]
  isError: boolean
  /** True if the client did not say whether the call succeeded, such as in OpenAI's chat format. */
  isUnmarked?: true
  /** The exit status, if the client wrote one into the result's details. */
  exitCode?: number
  /** True if a client has pruned the output. */
  isPruned: boolean
  /** When it was pruned, in milliseconds since the epoch, if the document says it. */
  prunedAt?: number
  /** The user's words in the result, if the agent has marked them. The text of a result alone is never the user's. */
  userAnswers?: readonly UserAnswer[]
}

/** The user's words in the result of a tool. */
export interface UserAnswer {
  /** The agent's question; empty where the result does not have it, or where nothing was asked. */
  question: string
  answer: string
}

export interface BashExecutionMessage extends Counted {
  role: 'bashExecution'
  command: string
  output: string
  exitCode?: number
  cancelled: boolean
}

/** A `custom` message or a `custom_message` entry. */
interface CustomMessage extends Counted {
  role: 'custom'
  content: ContentBlock[]
}

/** A message of an unknown role: it is in the context, but it is not a cut point (planning rule 4). */
interface OtherMessage extends Counted {
  role: 'other'
  content: ContentBlock[]
}

interface SummaryMessage extends Counted {
  role: 'branchSummary' | 'compactionSummary'
  summary: string
}

export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | CustomMessage
  | OtherMessage
  | SummaryMessage

/** Returns a text as blocks of a message; none for an empty text and any other value. */
export const textBlocks = (value: unknown): ContentBlock[] =>
  typeof value === 'string' && value !== '' ? [{ type: 'text', text: value }] : []

/** Returns the text blocks of a message's content, joined by line breaks. */
export function textOf(content: readonly ContentBlock[]): string {
  const texts: string[] = []
  for (const block of content) if (block.type === 'text') texts.push(block.text)
  return texts.join('\n')
}

/** Returns the tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolCallBlock[] {
  if (message.role !== 'assistant') return []
  return message.content.filter((block) => block.type === 'toolCall')
}

/** Returns all texts of a message, unchanged: text, thinking, tool names, the values of arguments, and outputs. */
export function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'bashExecution':
      return [message.command, message.output]
    case 'branchSummary':
    case 'compactionSummary':
      return [message.summary]
    case 'assistant':
      return [
        ...message.content.flatMap(textsOfBlock),
        ...(message.errorMessage === undefined ? [] : [message.errorMessage]),
      ]
    default:
      return message.content.flatMap(textsOfBlock)
  }
}

function textsOfBlock(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.text]
    case 'thinking':
      return [block.thinking]
    case 'toolCall':
      return [block.name, ...leavesOf(block.arguments)]
    case 'image':
      return []
  }
}

/** Returns the strings and numbers in a JSON value. It does not recurse, since a hostile value is nested deeply. */
function leavesOf(value: unknown): string[] {
  const texts: string[] = []
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'number') texts.push(String(next))
    else if (typeof next === 'object' && next !== null) for (const child of Object.values(next)) left.push(child)
  }
  return texts
}
