import { fieldsOf, isObject, type ElementPlace, type SourceElement } from '../../session/entry.ts'
import { textOf, type ToolResultMessage, type UserAnswer } from '../../session/message.ts'
import { textIn } from '../../text/tagged-text.ts'
import { asClients, readGeminiContent, type ContentEntry } from '../apis/gemini-contents.ts'
import { CallNames, readGeminiParts, readGeminiUsage } from '../apis/gemini-parts.ts'
import type { SessionReader, ValueReader, EntrySink, ResultGroup } from '../reader.ts'
import { blockText, markResult, modelFact, said } from '../shared/messages.ts'
import { asText, type Fields } from '../shared/values.ts'

/** Sessions of Qwen Code (0.24.4): JSONL, a tree like that of Claude Code with contents of Gemini's API. */
export const qwenReader: SessionReader = {
  detect: ({ values }) => values.some(isQwenLine),
  open: (sink) => new QwenReader(sink),
}

const TYPES = new Set<unknown>(['user', 'assistant', 'tool_result', 'system'])

const isQwenLine = (value: unknown): boolean =>
  isObject(value) &&
  value['parentUuid'] !== undefined &&
  TYPES.has(value['type']) &&
  (Array.isArray(fieldsOf(value['message'])['parts']) || typeof value['provenance'] === 'string')

/** An entry, with its position in the history of a compaction. */
interface PartEntry {
  entry: ContentEntry
  part?: number
}

const whole = (entry: ContentEntry): PartEntry => ({ entry })

/** Subtypes of lines that the client writes in the user's role: older versions have no `provenance`. */
const CLIENT_SUBTYPES = new Set<unknown>(['notification', 'cron'])

const isUsers = ({ type, subtype, provenance = 'real_user' }: Fields): boolean =>
  type === 'user' && provenance === 'real_user' && !CLIENT_SUBTYPES.has(subtype)

class QwenReader implements ValueReader {
  readonly #sink: EntrySink
  readonly #names = new CallNames()
  readonly #elements: SourceElement[] = []

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const line = fieldsOf(value)
    const id = asText(line['uuid'])
    if (!TYPES.has(line['type'])) this.#sink.ignore('entryTypes', asText(line['type']))
    if (id === '' || this.#sink.has(id)) return
    const parentId = asText(line['parentUuid']) || null
    this.#elements.push({ ...place, id, parentId: parentId ?? '' })
    const entries =
      line['subtype'] === 'chat_compression' ? this.#readCompaction(line) : this.#readLine(line).map(whole)
    if (entries.length === 0) this.#sink.skip(id, parentId)
    this.#addChain(entries, { id, parentId, place })
  }

  /** The leaf is the last line of the tree, also if it has no message: a line may be before the one that it follows. */
  end(): void {
    this.#sink.setElements(this.#elements)
    const leafId = this.#elements.at(-1)?.id
    if (typeof leafId === 'string') this.#sink.setLeaf(leafId)
  }

  /** Adds the entries of one line. What follows the line in the tree follows the last of them. */
  #addChain(entries: readonly PartEntry[], line: { id: string; parentId: string | null; place: ElementPlace }): void {
    const group: ResultGroup = { lastId: line.id }
    let { parentId } = line
    for (const [index, { entry, part }] of entries.entries()) {
      group.lastId = index === 0 ? line.id : `${line.id}.${index + 1}`
      const place = part === undefined ? line.place : { ...line.place, part }
      this.#sink.add({ ...entry, id: group.lastId, parentId }, place, group)
      parentId = group.lastId
    }
  }

  #readLine(line: Fields): ContentEntry[] {
    const { parts } = fieldsOf(line['message'])
    if (line['type'] === 'assistant') {
      const { blocks } = readGeminiParts(parts, this.#names)
      const facts = { ...modelFact(line['model']), ...readGeminiUsage(line['usageMetadata']) }
      return blocks.length === 0 ? [] : [{ type: 'message', message: { role: 'assistant', content: blocks, ...facts } }]
    }
    if (line['type'] !== 'user' && line['type'] !== 'tool_result') return []
    // A hook may write what looks like a summary.
    const isOwn = isUsers(line)
    return readGeminiContent(false, parts, this.#names).map((entry) => {
      if (entry.type === 'message' && entry.message.role === 'toolResult')
        return { ...entry, message: describeResult(entry.message, line) }
      return isOwn ? entry : asClients(entry)
    })
  }

  /** After a compaction, the history is `compressedHistory`, by value: the summary, the model's answer to it, the rest. */
  #readCompaction(line: Fields): PartEntry[] {
    const { compressedHistory } = fieldsOf(line['systemPayload'])
    const [first, ...rest] = Array.isArray(compressedHistory) ? (compressedHistory as unknown[]) : []
    const { blocks } = readGeminiParts(fieldsOf(first)['parts'], this.#names)
    const text = blockText(blocks[0])
    if (text === '') return []
    const summary = textIn(text, 'summary') ?? textIn(text, 'state_snapshot') ?? text
    const kept = rest.flatMap((content, index) => {
      const { role, parts } = fieldsOf(content)
      return readGeminiContent(role === 'model', parts, this.#names).map((entry) => ({ entry, part: index + 1 }))
    })
    return [{ entry: { type: 'compaction', summary: summary.trim() } }, ...kept]
  }
}

/** Qwen Code's own tool that asks the user, and what it writes before the answers; those of servers have longer names. */
const QUESTION_TOOL = 'ask_user_question'
const ANSWERS = 'User has provided the following answers:\n'

/** Returns what the user said in a result: lines of the form `**question**: answer`. */
function readAnswers({ toolName, content }: ToolResultMessage): UserAnswer[] {
  const text = textOf(content)
  if (toolName !== QUESTION_TOOL || !text.startsWith(ANSWERS)) return []
  const answers: UserAnswer[] = []
  for (const line of text.slice(ANSWERS.length).trim().split('\n')) {
    const last = answers.at(-1)
    const at = line.startsWith('**') ? line.indexOf('**: ', 2) : -1
    if (at > 0) answers.push({ question: line.slice(2, at), answer: line.slice(at + '**: '.length) })
    else if (last !== undefined) last.answer += `\n${line}`
  }
  return answers
}

/** Returns a result with how the tool ended, and what the user said; the structured result of a command has its exit status. */
function describeResult(result: ToolResultMessage, { toolCallResult }: Fields): ToolResultMessage {
  const { status, resultDisplay } = fieldsOf(toolCallResult)
  const { exitCode } = fieldsOf(resultDisplay)
  const hasFailed = status === 'error' || status === 'cancelled'
  return { ...markResult(result, { hasFailed, exitCode }), ...said(hasFailed ? [] : readAnswers(result)) }
}
