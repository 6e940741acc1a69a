import type { Agent } from '../agent.ts'
import { addAtEnd, type DocumentEnd, type SessionAppender } from '../appender.ts'
import { elementText, nextNumber, splitAtCut, splitAtEnd } from '../shared/elements.ts'
import { ALL_CONTENT } from '../shared/fit-turn.ts'
import { rawFields } from '../shared/raw-json.ts'
import type { AssistantTurn, Call, UserTurn, WrittenTurn } from '../shared/turns.ts'
import { joinTexts, modelOf, thinkingOf, type SessionWriter } from '../writer.ts'
import { atifReader } from './read.ts'

interface AtifMaterial {
  end: DocumentEnd
  /** The kept steps, as JSON. */
  steps: readonly { json: string; isAgents: boolean }[]
  nextId: number
}

/**
 * Writes a compaction by the convention of ATIF 1.7: a system step that replaces all steps before it, then copies of the kept
 * ones.
 */
const atifAppender: SessionAppender<AtifMaterial> = {
  prepare(session) {
    const { body, places } = session
    const end = session.isLines ? undefined : splitAtEnd(session)
    if (end === undefined) return undefined
    const steps = splitAtCut(session).kept.map((step) => ({
      json: elementText(body, step),
      isAgents: step.kind === 'assistant',
    }))
    return { end, steps, nextId: nextNumber(places, 1) }
  },

  write({ end, steps, nextId }, { summary, at }) {
    const step = { step_id: nextId, timestamp: new Date(at).toISOString(), ...compactionStep(summary) }
    const compaction = JSON.stringify(step)
    const copies = steps.map((kept, index) => copyStep(kept, nextId + 1 + index))
    return addAtEnd(end, [compaction, ...copies])
  },
}

/** Returns a compaction as a step without a number. */
const compactionStep = (summary: string): object => ({
  source: 'system',
  message: 'Context compaction performed',
  observation: { results: [{ content: summary }] },
  extra: { context_management: { type: 'compaction', boundary: 'replace' } },
})

/** Returns a step with another number, as a copy: what it has cost was counted where it occurs first. */
function copyStep({ json, isAgents }: AtifMaterial['steps'][number], id: number): string {
  const fields = rawFields(json, ['step_id', 'is_copied_context'])
  return `{${[`"step_id":${id}`, ...fields, ...(isAgents ? ['"is_copied_context":true'] : [])].join(',')}}`
}

/** A trajectory in ATIF 1.7: a compaction step, as its convention is, and the steps after it. */
const atifWriter: SessionWriter = {
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
  const thinking = thinkingOf(parts)
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

export const ATIF = {
  id: 'atif',
  reader: atifReader,
  appender: atifAppender,
  writer: atifWriter,
  continueWith: () => ({
    sentence:
      'The trajectory has the compaction, and copies of the kept steps after it. ' +
      'Continue with a program that reads ATIF (docs/agents.md).',
  }),
} satisfies Agent
