import { addAtEnd, type DocumentEnd, type SessionAppender } from '../appender.ts'
import { elementText, nextNumber, splitAtEnd, splitAtCut } from '../shared/elements.ts'
import { rawFields } from '../shared/raw-json.ts'

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
export const atifAppender: SessionAppender<AtifMaterial> = {
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
export const compactionStep = (summary: string): object => ({
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
