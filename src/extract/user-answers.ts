import { isQuestionTool } from '../files/tools.ts'
import { beginning } from '../text/shorten.ts'
import { textOf, toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'

/** What the user said in the result of a tool. */
export interface UserAnswer {
  /** The agent's question; empty where the result does not have it, or where nothing was asked. */
  question: string
  answer: string
}

/**
 * Returns what the user said in the result of a tool: the answers to a tool that asks the user, or the words with which the
 * user refused a call. Other results are not read, since a file may have such words too.
 * @param call the call that the result answers, if it is known: it has the question that some agents do not repeat
 */
export function readUserAnswers(message: Message, call?: ToolCallBlock): UserAnswer[] {
  if (message.role !== 'toolResult') return []
  const { isError, isUnmarked = false, toolName } = message
  const text = textOf(message.content).trim()
  const refusal = isError || isUnmarked ? readRefusal(text, isError) : undefined
  if (refusal !== undefined) return [{ question: '', answer: refusal }]
  if (isError || !isQuestionTool(toolName) || UNANSWERED.test(text)) return []
  const asked = questionsOf(call?.arguments)
  return readPairs(text)
    .map(({ question, answer }) => ({ question: question.trim() || asked, answer: answer.trim() }))
    .filter(({ answer }) => /[\p{L}\p{N}]/u.test(answer) && answer !== 'Unanswered')
}

/** Returns the answers of the user in messages, by message. */
export function findUserAnswers(messages: readonly Message[]): Map<Message, UserAnswer[]> {
  const calls = new Map<string, ToolCallBlock>()
  const found = new Map<Message, UserAnswer[]>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) calls.set(call.id, call)
    const answers = message.role === 'toolResult' ? readUserAnswers(message, calls.get(message.toolCallId)) : []
    if (answers.length > 0) found.set(message, answers)
  }
  return found
}

/** Up to this length, a question of the agent stays word for word. */
export const MAX_QUESTION_CHARACTERS = 500

const QUESTION_AT_END = /[?？]["')\]*_]*$/

/** Returns the last paragraph of an agent's text if the text ends with a question: the question with its context. */
export function readQuestionAtEnd(text: string): string | undefined {
  const trimmed = text.trim()
  const paragraph = trimmed.slice(Math.max(0, trimmed.lastIndexOf('\n\n')))
  return QUESTION_AT_END.test(trimmed) ? beginning(paragraph, MAX_QUESTION_CHARACTERS) : undefined
}

/** Refusals with words of the user: Claude Code 2.1, opencode 1.18. */
const REFUSALS: readonly [start: string, mark: string][] = [
  ["The user doesn't want to", 'the user said:'],
  ['The user rejected permission', 'with the following feedback:'],
]

/** What Cline and Roo write, whose results have no error flag. */
const DENIED = 'The user denied this operation and provided the following feedback:'

function readRefusal(text: string, isError: boolean): string | undefined {
  if (text.startsWith(DENIED)) return inTag(text.slice(DENIED.length), 'feedback')
  const found = isError ? REFUSALS.find(([start]) => text.startsWith(start)) : undefined
  const at = found === undefined ? -1 : text.indexOf(found[1])
  const words = found === undefined || at < 0 ? '' : text.slice(at + found[1].length).trim()
  return words === '' ? undefined : words
}

/** Results of a question that the user did not answer. */
const UNANSWERED = /^(?:the )?user (?:has )?(?:declined|dismissed|cancel|skipped|did not|didn't|submitted without)/i

/** What agents write around answers: Claude Code and opencode, Qwen Code, pi. */
const LEAD =
  /^(?:(?:the )?user has answered your questions?: ?|your questions? ha(?:s|ve) been answered: |(?:the )?user has provided the following answers:\s*|(?:the )?user (?:selected|answered|responded|said|provided custom input): ?)/i
const TRAIL = /\.? You can now continue with [^\n"]{1,60}$/

function readPairs(text: string): UserAnswer[] {
  const body = inTag(text.replace(LEAD, '').replace(TRAIL, ''), 'answer')
  if (body.startsWith('{')) return [{ question: '', answer: readJson(body) }]
  if (body.startsWith('"')) return readQuoted(body)
  return body.startsWith('**') ? readBold(body) : [{ question: '', answer: body }]
}

/** Reads `"question"="answer", "question"="answer"`. The texts may have quotes in them. */
function readQuoted(body: string): UserAnswer[] {
  const pairs: UserAnswer[] = []
  for (const part of body.replace(/^"/, '').replace(/"$/, '').split('", "')) {
    const last = pairs.at(-1)
    const at = part.indexOf('"=')
    if (at >= 0) pairs.push({ question: part.slice(0, at), answer: part.slice(at + 2).replace(/^"/, '') })
    else if (last === undefined) pairs.push({ question: '', answer: part })
    else last.answer += `", "${part}`
  }
  return pairs
}

/** Reads lines of Qwen Code: `**question**: answer`. */
function readBold(body: string): UserAnswer[] {
  const pairs: UserAnswer[] = []
  for (const line of body.split('\n')) {
    const last = pairs.at(-1)
    const at = line.startsWith('**') ? line.indexOf('**: ', 2) : -1
    if (at > 0) pairs.push({ question: line.slice(2, at), answer: line.slice(at + 4) })
    else if (last === undefined) pairs.push({ question: '', answer: line })
    else last.answer += `\n${line}`
  }
  return pairs
}

/** Returns the answers in a JSON object: `{"answers": {"0": "a"}}` (Gemini CLI), `{"answers": {"id": {"answers": ["a"]}}}` (Codex). */
function readJson(body: string): string {
  try {
    const { answers = '' } = JSON.parse(body) as { answers?: unknown }
    return valuesOf(answers).flatMap(valuesOf).flatMap(valuesOf).flatMap(valuesOf).filter(isText).join('; ') || body
  } catch {
    return body
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [value]

function inTag(text: string, name: string): string {
  const start = text.indexOf(`<${name}>`)
  const end = text.lastIndexOf(`</${name}>`)
  return (start < 0 || end < start ? text : text.slice(start + name.length + 2, end)).trim()
}

/** Returns the questions in the arguments of a call, each on a line. */
function questionsOf(values: unknown): string {
  const { question, questions } = (typeof values === 'object' && values !== null ? values : {}) as Record<
    string,
    unknown
  >
  const list = Array.isArray(questions) ? (questions as unknown[]) : []
  return [question, ...list.map((one) => (isText(one) ? one : (one as { question?: unknown } | null)?.question))]
    .filter(isText)
    .join('\n')
}
