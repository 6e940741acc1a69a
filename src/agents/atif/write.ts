import { ALL_CONTENT } from '../shared/fit-turn.ts'
import type { AssistantTurn, Call, WrittenTurn, UserTurn } from '../shared/turns.ts'
import { joinTexts, modelOf, type SessionWriter } from '../writer.ts'
import { compactionStep } from './append.ts'

/** A trajectory in ATIF 1.7: a compaction step, as its convention is, and the steps after it. */
export const atifWriter: SessionWriter = {
  contentType: 'application/json',
  // In ATIF, an image is the path of a file.
  supports: { ...ALL_CONTENT, images: 'none', resultImages: false, errorMessages: false },
  write(draft) {
    const steps = [compactionStep(draft.summary), ...draft.turns.map(stepOf)]
    return JSON.stringify({
      schema_version: 'ATIF-v1.7',
      session_id: draft.newUuid(),
      agent: { name: draft.facts.agent, version: 'unknown' },
      steps: steps.map((step, index) => ({ step_id: index + 1, timestamp: draft.nextTime(), ...step })),
    })
  },
}

const stepOf = (turn: WrittenTurn): object => (turn.role === 'user' ? userStep(turn) : agentStep(turn, modelOf(turn)))

const userStep = ({ parts }: UserTurn): object => ({ source: 'user', message: joinTexts(parts) })

function agentStep({ parts }: AssistantTurn, model: string): object {
  const thinking = parts.flatMap((part) => (part.type === 'thinking' ? part.thinking : []))
  const calls = parts.filter((part) => part.type === 'call')
  const results = calls.flatMap(resultOf)
  return {
    source: 'agent',
    message: joinTexts(parts),
    model_name: model,
    is_copied_context: true,
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join('\n\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    ...(results.length === 0 ? {} : { observation: { results } }),
  }
}

const toolCall = ({ id, name, input }: Call): object => ({ tool_call_id: id, function_name: name, arguments: input })

function resultOf({ id, result }: Call): object[] {
  if (result === undefined) return []
  const extra = {
    ...(result.isError ? { is_error: true } : {}),
    ...(result.exitCode === undefined ? {} : { exit_code: result.exitCode }),
  }
  const hasExtra = Object.keys(extra).length > 0
  return [{ source_call_id: id, content: joinTexts(result.parts), ...(hasExtra ? { extra } : {}) }]
}
