import { fieldsOf } from '../../session/entry.ts'
import type { UserAnswer } from '../../session/message.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { asText, listOf } from '../shared/values.ts'

const QUESTION_TOOL = 'question'

/**
 * The tools of opencode 1.18 that need a permission, and whose own errors never begin with text of others. A server of the Model
 * Context Protocol chooses the texts of its errors; the names of its tools begin with that of the server.
 */
const OWN_TOOLS = new Set([
  ...['bash', 'edit', 'write', 'multiedit', 'patch', 'apply_patch', 'read', 'list', 'glob', 'grep'],
])

const REFUSAL =
  /^(?:Error: |PermissionCorrectedError: )?The user rejected permission to use this specific tool call with the following feedback: /

/** Returns what the user said in the state of a call: answers in the metadata of opencode's question tool, or a refusal. */
export function readOpencodeAnswers(tool: string, state: Readonly<Record<string, unknown>>): UserAnswer[] {
  const { status, error, metadata, input } = state
  if (status === 'error') {
    const text = asText(error) || asText(fieldsOf(error)['message'])
    return OWN_TOOLS.has(tool) && REFUSAL.test(text) ? saidAlone(text.replace(REFUSAL, '')) : []
  }
  if (status !== 'completed' || tool !== QUESTION_TOOL) return []
  const questions = listOf(fieldsOf(input)['questions'])
  const { answers } = fieldsOf(metadata)
  return (Array.isArray(answers) ? answers : []).map((chosen: unknown, index) => ({
    question: asText(questions[index]?.['question']),
    answer: (Array.isArray(chosen) ? chosen : [chosen]).map(asText).filter(Boolean).join('; '),
  }))
}
