import { parseFields } from '../../session/entry.ts'
import type { UserAnswer } from '../../session/message.ts'
import { asText } from './values.ts'

/** Returns the words of a refusal, or of an answer whose question is in the call. */
export const saidAlone = (answer: unknown): UserAnswer[] =>
  asText(answer).trim() === '' ? [] : [{ question: '', answer: asText(answer).trim() }]

/**
 * Returns the answers in the JSON of a result of Gemini CLI (`{"answers": {"0": "a"}}`) or Codex (`{"answers": {"id":
 * {"answers": ["a"]}}}`).
 */
export function readAnswersJson(json: string): UserAnswer[] {
  const { answers } = parseFields(json.trimStart())
  const texts = valuesOf(answers).flatMap(valuesOf).flatMap(valuesOf).flatMap(valuesOf)
  return saidAlone(texts.filter((text) => typeof text === 'string').join('; '))
}

const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [value]
