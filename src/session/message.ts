/**
 * What a session contributes to a model's context, after reading: every later room works on these shapes and never
 * on the wire's. The words are pi's (`AgentMessage`), so that `/context` can hand them back as they came.
 */

export interface TextBlock {
  type: 'text'
  text: string
}

export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
}

export interface ToolCallBlock {
  type: 'toolCall'
  id: string
  name: string
  /** Any JSON value, an object as a rule; an absent one is `{}`, so it can always be written as JSON. */
  arguments: unknown
}

/** An image's data is never needed here: it is counted, named and passed on from the entry as it came. */
export interface ImageBlock {
  type: 'image'
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolCallBlock | ImageBlock

/** Token counts that a provider reported for one assistant message; absent counts read as 0. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens?: number
}

/** What every message may carry. */
interface Counted {
  /** Its tokens, where they are known: a message of which parts were left out as it came carries those of the whole. */
  tokens?: number
}

export interface UserMessage extends Counted {
  role: 'user'
  content: ContentBlock[]
}

export interface AssistantMessage extends Counted {
  role: 'assistant'
  content: ContentBlock[]
  /** `stop`, `toolUse`, `length`, `error`, `aborted`, or what else a client may write. */
  stopReason?: string
  errorMessage?: string
  provider?: string
  model?: string
  usage?: Usage
}

export interface ToolResultMessage extends Counted {
  role: 'toolResult'
  toolCallId: string
  toolName: string
  content: ContentBlock[]
  isError: boolean
  /** The exit status, where the client wrote one into the result's details. */
  exitCode?: number
  /** True once a client has pruned the output. */
  isPruned: boolean
}

export interface BashExecutionMessage extends Counted {
  role: 'bashExecution'
  command: string
  output: string
  exitCode?: number
  cancelled: boolean
}

/** A `custom` message or `custom_message` entry, and any role that this version does not know. */
export interface CustomMessage extends Counted {
  role: 'custom'
  content: ContentBlock[]
}

/** A message of an unknown role: it is in the context, but no cut may be made before it (planning rule 4). */
export interface OtherMessage extends Counted {
  role: 'other'
  content: ContentBlock[]
}

export interface SummaryMessage extends Counted {
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

/** The text of a message's content, its text blocks joined by line breaks. */
export function textOf(content: readonly ContentBlock[]): string {
  const texts: string[] = []
  for (const block of content) if (block.type === 'text') texts.push(block.text)
  return texts.join('\n')
}

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolCallBlock[] {
  if (message.role !== 'assistant') return []
  return message.content.filter((block) => block.type === 'toolCall')
}

/** All texts of a message, word for word: what was said and thought, names and values of arguments, outputs. */
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

/** The strings in a value, with its numbers; a list of what is left to read, since a hostile value is nested deeply. */
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
