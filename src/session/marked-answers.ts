import { fieldsOf } from './entry.ts'
import type { UserAnswer } from './message.ts'

/**
 * The key of what the user said in a result, in messages that the reader of an agent's format has made. JSON cannot have it: no
 * field of a request and no text of a tool can be taken for it.
 */
const USER_ANSWERS = Symbol('userAnswers')

/** Returns the mark of a result for what the user said in it: a field of its message. */
export const markAnswers = (answers: readonly UserAnswer[]): object =>
  answers.length === 0 ? {} : { [USER_ANSWERS]: answers }

/** Returns what a result is marked with; undefined for results without a mark. */
export const answersOf = (message: object): readonly UserAnswer[] | undefined =>
  (message as { [USER_ANSWERS]?: readonly UserAnswer[] })[USER_ANSWERS]

/** Returns the words of a refusal, or of an answer whose question is in the call. */
export const saidAlone = (answer: string): UserAnswer[] =>
  answer.trim() === '' ? [] : [{ question: '', answer: answer.trim() }]

/**
 * Returns the answers in the JSON of a result of Gemini CLI (`{"answers": {"0": "a"}}`) or Codex (`{"answers": {"id":
 * {"answers": ["a"]}}}`).
 */
export function readAnswersJson(json: string): UserAnswer[] {
  if (!json.trimStart().startsWith('{')) return []
  try {
    const { answers } = fieldsOf(JSON.parse(json))
    const texts = valuesOf(answers).flatMap(valuesOf).flatMap(valuesOf).flatMap(valuesOf)
    return saidAlone(texts.filter(isText).join('; '))
  } catch {
    return []
  }
}

/** Returns the answers in the details of the tool `ask` of oh-my-pi (18.2), and of such tools of pi's extensions. */
export function readAskDetails(details: unknown): UserAnswer[] {
  const { results } = fieldsOf(details)
  const list: unknown[] = Array.isArray(results) ? results : [details]
  return list.flatMap((one) => {
    const { question, selectedOptions, customInput, answer } = fieldsOf(one)
    const chosen: unknown[] = Array.isArray(selectedOptions) ? selectedOptions : []
    const said = [...chosen, customInput, answer].filter(isText).filter((text) => text.trim() !== '')
    return said.length === 0 ? [] : [{ question: isText(question) ? question : '', answer: said.join('; ') }]
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'

const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [value]
