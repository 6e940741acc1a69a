import { readResultHead } from '../../session/message-text.ts'
import { plainText } from '../apis/anthropic-blocks.ts'
import { asText, type Fields } from '../shared/values.ts'
import { isTalkTool, readNextMessage } from './answers.ts'

interface TextResult {
  tool: string
  /** The description of the call in the head, such as `for 'src/a.ts'`. */
  about: string
  content: Fields[]
}

/**
 * A message of the user in sessions of old versions of Cline, Roo and Kilo. Results were texts before Cline 3.3x: a head, and in
 * the same block or in blocks of their own what the tool returned. After a head, no block is the user's: a tool could write it.
 */
export class ResultMessage {
  readonly #toolNames: ReadonlyMap<string, string>
  /** The user's next messages, in the results of tools with which the agent ended its turn. */
  readonly #said: string[] = []
  readonly #parts: ({ block: Fields } | TextResult)[] = []
  #result: TextResult | undefined
  /** Whether the head was the last block: the next one is what the tool returned, whatever it looks like. */
  #isAfterHead = false

  /** The tags in the answer before: those of the tools that it calls, and of their arguments. */
  readonly #tags: ReadonlySet<string>

  /**
   * @param toolNames the names of the tools, by the id of each call that is a block
   * @param answer the text of the answer before, which has the calls of the other tools
   */
  constructor(toolNames: ReadonlyMap<string, string>, answer: string) {
    this.#toolNames = toolNames
    this.#tags = new Set([...answer.matchAll(TAG)].map(([tag]) => tag))
  }

  add(block: Fields): void {
    const text = asText(block['text'])
    const head = this.#isAfterHead ? undefined : this.#readHead(text)
    if (head !== undefined) {
      this.#result = { tool: head.tool, about: head.about, content: [] }
      if (!isTalkTool(head.tool)) this.#parts.push(this.#result)
      if (head.rest !== '') this.#addContent(this.#result, { type: 'text', text: head.rest })
    } else if (this.#result === undefined || (!this.#isAfterHead && isOwn(block, text))) this.#addOwn(block)
    else this.#addContent(this.#result, block)
    this.#isAfterHead = head?.rest === ''
  }

  textResults(): TextResult[] {
    return this.#parts.flatMap((part) => ('block' in part ? [] : part))
  }

  /** Returns the blocks as those of Anthropic's API. @param idOf returns the id of the call of a tool that waits for a result */
  blocks(idOf: (tool: string) => string): Fields[] {
    const results = this.#parts.map((part) => {
      if ('block' in part) return withStatus(part.block)
      const { tool: name, content } = part
      return withStatus({ type: 'tool_result', tool_use_id: idOf(name), name, content })
    })
    // The user's words come first: what follows a result in text is never the user's.
    return [...this.#said.map((text) => ({ type: 'text', text })), ...results]
  }

  /** Below another result, a head counts only if the agent has called the tool: a tool may have written it. */
  #readHead(text: string): ReturnType<typeof readResultHead> {
    const head = readResultHead(text)
    return head === undefined || this.#result === undefined || this.#tags.has(`<${head.tool}>`) ? head : undefined
  }

  #addOwn(block: Fields): void {
    const isResult = block['type'] === 'tool_result'
    const tool = isResult ? (this.#toolNames.get(asText(block['tool_use_id'])) ?? '') : ''
    // The client adds the files that the message names in blocks of their own.
    const { content } = block
    const next = readNextMessage(tool, plainText(Array.isArray(content) ? content.slice(0, 1) : content))
    if (next === undefined) this.#parts.push({ block })
    else this.#said.push(next)
  }

  #addContent({ tool, content }: TextResult, block: Fields): void {
    const next = readNextMessage(tool, asText(block['text']))
    if (next === undefined) content.push(block)
    else this.#said.push(next)
  }
}

const TAG = /<[a-z]\w{0,59}>/g

/** Whether a block after a head is not a part of its result: what the client adds, or a result with a call of its own. */
const isOwn = (block: Fields, text: string): boolean =>
  block['type'] === 'tool_result' || text.trimStart().startsWith('<environment_details>')

const ERROR = 'The tool execution failed with the following error:'

/** Marks a result with the sentence that the agent writes before an error. */
function withStatus(block: Fields): Fields {
  const isError = block['type'] === 'tool_result' && plainText(block['content']).startsWith(ERROR)
  return isError ? { ...block, is_error: true } : block
}
