import { deepStrictEqual as deepEqual } from 'node:assert'
import { NEW_SESSION_FORMATS } from '../../src/schemas/format-ids.ts'
import type { NewSessionFormat } from '../../src/schemas/reply-form.ts'
import type { Message } from '../../src/session/message.ts'
import type { KeptMessage } from '../../src/agents/shared/turns.ts'
import { AGENTS } from '../../src/agents/agents.ts'
import { writeSession } from '../../src/agents/write-session.ts'
import { addPast } from './add-past.ts'
import type { Rendering } from './render-messages.ts'

const FACTS = { nowMs: Date.UTC(2026, 10, 22), seed: '', cwd: '/work' }
const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }

/** The formats of new sessions: the service's own writers render them. They carry everything that the format holds. */
export const WRITTEN: Readonly<Record<string, Rendering>> = Object.fromEntries(
  NEW_SESSION_FORMATS.map((id) => [id, renderingOf(id)]),
)

function renderingOf(id: NewSessionFormat): Rendering {
  const { contentType, holds } = AGENTS[id].writer
  return {
    format: id,
    holds,
    hasSummary: true,
    hasExitCodes: holds.exitCodes === 'all',
    isLines: contentType === 'application/x-ndjson',
    render({ summary, messages, past }) {
      const written = (of: readonly Message[]) => writeSession(id, { summary, kept: keptOf(of), facts: FACTS })
      const { body, notCarried } = written(messages)
      deepEqual(notCarried, {})
      return addPast(id, body, written(past).body)
    },
  }
}

/** Returns messages as a writer gets them: images with their data, and the results of parallel calls in another order. */
function keptOf(messages: readonly Message[]): KeptMessage[] {
  const kept: KeptMessage[] = []
  let results: KeptMessage[] = []
  for (const message of messages) {
    if (message.role === 'toolResult') {
      results.unshift({ message })
      continue
    }
    kept.push(...results)
    results = []
    const content =
      message.role === 'user' ? message.content.map((block) => (block.type === 'image' ? image : block)) : []
    kept.push({ message, raw: { content } })
  }
  return [...kept, ...results]
}
