import type { ElementPlace } from '../../session/entry.ts'
import { textBlocks, type Message } from '../../session/message.ts'
import type { EntrySink, SessionReader, ValueReader } from '../reader.ts'
import { clientMessages, toolCall, toolResult } from '../shared/messages.ts'
import { asText } from '../shared/values.ts'

/** The chat history of Aider (`.aider.chat.history.md`): Markdown, of which the newest session is read. */
export const aiderReader: SessionReader = {
  detect: () => false,
  detectText: (head) => head.startsWith(START) || head.includes(`\n${START}`),
  open: (sink) => new AiderReader(sink),
}

const START = '# aider chat started at '
const USER = '#### '
const TOOL = '>'

/** The line of a commit. If its message has several lines, only the last one ends with two spaces. */
const COMMIT = /^> Commit [0-9a-f]{7,40} /

interface Line {
  text: string
  place: ElementPlace
}

/** Lines in a row of the same author. */
interface Block {
  author: 'user' | 'tool' | 'assistant'
  lines: string[]
  place: ElementPlace
}

class AiderReader implements ValueReader {
  readonly #sink: EntrySink
  #lines: Line[] = []
  /** The lines of the session before, for a session without content. */
  #earlier: Line[] = []

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  read(value: unknown, place: ElementPlace): void {
    const text = asText(value).replace(/\r$/, '')
    if (!text.startsWith(START)) this.#lines.push({ text, place })
    else if (this.#lines.some((line) => line.text.startsWith(USER))) {
      this.#earlier = this.#lines
      this.#lines = []
    }
  }

  end(): void {
    const isUsed = this.#lines.some(({ text }) => text.startsWith(USER))
    const blocks = blocksOf(isUsed ? this.#lines : this.#earlier)
    let before: Block | undefined
    for (const block of blocks) {
      for (const message of readBlock(block, before)) this.#sink.add({ type: 'message', message }, block.place)
      before = block
    }
  }
}

/**
 * Splits the lines by their author. Aider ends its own lines with two spaces, and each answer with a line about its tokens;
 * headings and quotes of the model have neither. In a history without either mark, a heading of an answer looks like a request,
 * and is read as one.
 */
function blocksOf(lines: readonly Line[]): Block[] {
  const isMarked = lines.some(({ text }) => text.startsWith(USER) && text.endsWith('  '))
  const hasTokens = lines.some(({ text }) => TOKENS.test(text))
  const fenced = findFenced(lines)
  const blocks: Block[] = []
  /** Whether the agent has not ended its answer: one that the user stops has no line about its tokens. */
  let isAnswering = false
  let isInText = false
  const authorOf = (text: string, index: number): Block['author'] => {
    if (fenced.has(index) || (isMarked && !text.endsWith('  ') && !COMMIT.test(text))) return 'assistant'
    if (text.startsWith(USER)) return hasTokens && isAnswering && isInText ? 'assistant' : 'user'
    return text.startsWith(TOOL) ? 'tool' : 'assistant'
  }
  for (const [index, { text, place }] of lines.entries()) {
    const author = authorOf(text, index)
    if (text.trim() !== '') isInText = author === 'assistant'
    if (author === 'user') isAnswering = !isCommand(text.slice(USER.length))
    if (author === 'tool' && (TOKENS.test(text) || STOPPED.test(text))) isAnswering = false
    const open = blocks.at(-1)
    const own = author === 'user' ? text.slice(USER.length) : author === 'tool' ? text.slice(TOOL.length + 1) : text
    if (open === undefined || open.author !== author) blocks.push({ author, lines: [own], place: { ...place } })
    else {
      open.lines.push(own)
      open.place.range = { start: open.place.range.start, end: place.range.end }
    }
  }
  return blocks.filter((block) => textOf(block) !== '')
}

/** The line that Aider writes after each answer. */
const TOKENS = /^> Tokens: \d/

/** The line that Aider writes when the user stops an answer; more of its text may follow. */
const STOPPED = /^> *\^C\b/

const FENCE = /^`{3,10}/

/** Returns the positions of lines in blocks of code, fences included. A block must be closed in the same answer. */
function findFenced(lines: readonly Line[]): Set<number> {
  const fenced = new Set<number>()
  let open: { fence: string; from: number } | undefined
  let isStopped = false
  for (const [index, { text }] of lines.entries()) {
    isStopped ||= STOPPED.test(text)
    const isRequest = isStopped && text.startsWith(USER)
    if (isRequest) isStopped = false
    if (isRequest || TOKENS.test(text)) open = undefined
    const [fence] = FENCE.exec(text) ?? []
    if (fence === undefined) continue
    if (open === undefined) open = { fence, from: index }
    else if (text.trimEnd() === open.fence) {
      for (let at = open.from; at <= index; at++) fenced.add(at)
      open = undefined
    }
  }
  return fenced
}

const textOf = ({ lines }: Block): string =>
  lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()

/** Commands whose words are a request to the model. */
const REQUEST = /^\/(?:ask|code|architect|context|ok)\s+/
/** Whether a prompt is for Aider itself, which writes no answer to it. */
const isCommand = (text: string): boolean => /^[/!]/.test(text) && !REQUEST.test(text)

const SHELL = /^(?:\/(?:run|test|git|lint)\b|!)/

function readBlock(block: Block, before: Block | undefined): Message[] {
  if (block.author === 'assistant') return [{ role: 'assistant', content: textBlocks(textOf(block)) }]
  if (block.author === 'tool') return readTool(block, before)
  const text = textOf(block).replace(REQUEST, '')
  // After `/ask`, the request is written a second time. Shell commands are read with their output, others are for Aider.
  if (isCommand(text) || (before?.author === 'user' && textOf(before).endsWith(text))) return []
  return [{ role: 'user', content: textBlocks(text) }]
}

const ADDED = /^Added (.{1,4000}) to the chat\.?$/
const EDITED = /^Applied edit to (.{1,4000})$/

/** Lines that Aider shows about itself, and that no model needs. */
const NOISE =
  /^(?:Tokens: |Use \/help |Aider v|Models?: |Main model: |Weak model: |Git repo: |Repo-map: |You can use \/undo )/

/** Returns what Aider did: files that it added or edited as calls with results, the output of a command, or its other lines. */
function readTool(block: Block, before: Block | undefined): Message[] {
  const command = before?.author === 'user' ? textOf(before) : ''
  if (SHELL.test(command))
    return [
      {
        role: 'bashExecution',
        command: command.replace(/^(?:\/run|!)\s*/, ''),
        output: textOf(block),
        cancelled: false,
      },
    ]
  const lines = block.lines.map((line) => line.trim()).filter((line) => line !== '' && !NOISE.test(line))
  const files = lines.flatMap((line, index) => {
    const [read, edited] = [ADDED.exec(line)?.[1], EDITED.exec(line)?.[1]]
    const path = read ?? edited
    const id = `file:${block.place.index + 1}.${index + 1}`
    return path === undefined ? [] : [{ id, name: read === undefined ? 'edit' : 'read', path, line }]
  })
  const others = lines.filter((line) => !ADDED.test(line) && !EDITED.test(line))
  const calls = files.map(({ id, name, path }) => toolCall(id, name, { path }))
  return [
    ...(calls.length === 0 ? [] : [{ role: 'assistant' as const, content: calls }]),
    ...files.map(({ id, name, line }) => toolResult(id, line, { name })),
    ...(before === undefined ? [] : clientMessages(textBlocks(others.join('\n')))),
  ]
}
