import { fieldsOf } from '../session/entry.ts'
import type { Message, ToolCallBlock, UserAnswer } from '../session/message.ts'
import { beginning } from '../text/shorten.ts'

/**
 * Returns what the user said in the result of a tool: the answers to a tool that asks the user, or the words with which the
 * user refused a call. Only what the agent has marked counts: the output of any tool may have such words too.
 * @param call the call that the result answers, if it is known: it has the question that some agents do not repeat
 */
export function readUserAnswers(message: Message, call?: ToolCallBlock): UserAnswer[] {
  if (message.role !== 'toolResult' || message.userAnswers === undefined) return []
  const asked = questionsOf(call?.arguments)
  return message.userAnswers
    .map(({ question, answer }) => ({ question: question.trim() || asked, answer: answer.trim() }))
    .filter(({ answer }) => /[\p{L}\p{N}]/u.test(answer))
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

/** Returns the questions in the arguments of a call, each on a line. */
function questionsOf(values: unknown): string {
  const { question, questions } = fieldsOf(values)
  const list: unknown[] = Array.isArray(questions) ? questions : []
  return [question, ...list.map((one) => fieldsOf(one)['question'] ?? one)]
    .filter((one) => typeof one === 'string')
    .join('\n')
}
