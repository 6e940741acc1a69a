import type { ContentBlock, Message, ToolResultMessage } from '../../session/message.ts'
import type { ResultGroup } from '../reader.ts'
import type { Node } from './lines.ts'

/** Pairs the results of a session with their calls, by the ids of the calls. */
export class CallResults {
  /** The results of the calls of a message, by the id of each call. */
  readonly #groups = new Map<string, ResultGroup>()
  /** The lines with results whose calls have not been read yet, by the id of such a call. */
  readonly #early = new Map<string, Node[]>()

  /** Adds the calls of a message. Returns the lines with results of them that were read before: they follow the calls. */
  addCalls(blocks: readonly ContentBlock[], group: ResultGroup): readonly Node[] {
    const ids = blocks.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []))
    for (const id of ids) this.#groups.set(id, group)
    const lines = ids.flatMap((id) => this.#early.get(id) ?? [])
    for (const id of ids) this.#early.delete(id)
    return lines
  }

  groupOf(message: Message): ResultGroup | undefined {
    return message.role === 'toolResult' ? this.#groups.get(message.toolCallId) : undefined
  }

  /** Keeps a line until the call of one of its results is read. Returns whether there is such a call. */
  holdEarly(node: Node, results: readonly ToolResultMessage[]): boolean {
    const early = results.find(({ toolCallId }) => !this.#groups.has(toolCallId))
    if (early === undefined) return false
    const others = this.#early.get(early.toolCallId)
    if (others === undefined) this.#early.set(early.toolCallId, [node])
    else others.push(node)
    return true
  }

  /** Returns the lines whose calls are missing, and forgets them. */
  takeEarly(): readonly Node[] {
    const lines = [...this.#early.values()].flat()
    this.#early.clear()
    return lines
  }

  clear(): void {
    this.#groups.clear()
    this.#early.clear()
  }
}
