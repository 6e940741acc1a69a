import { deepStrictEqual as deepEqual } from 'node:assert'
import { NEW_SESSION_FORMATS } from '../../src/schemas/format-ids.ts'
import type { NewSessionFormat } from '../../src/schemas/reply-form.ts'
import type { ContentBlock, Message } from '../../src/session/message.ts'
import { AGENTS } from '../../src/agents/agents.ts'
import { writeSession } from '../../src/agents/native.ts'
import { addPast } from './add-past.ts'
import type { Rendering } from './render-messages.ts'

const FILES = { readFiles: [], modifiedFiles: [] }
const FACTS = { nowMs: Date.UTC(2026, 10, 22), seed: '', cwd: '/work', agent: 'pi', tokensBefore: 9000, files: FILES }
const IMAGE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }

/** The formats of new sessions: the service's own writers render them. They carry everything that the format supports. */
export const WRITTEN: Readonly<Record<string, Rendering>> = Object.fromEntries(
  NEW_SESSION_FORMATS.map((id) => [id, renderingOf(id)]),
)

function renderingOf(id: NewSessionFormat): Rendering {
  const { contentType, supports } = AGENTS[id].writer
  return {
    format: id,
    supports,
    hasSummary: true,
    hasExitCodes: supports.exitCodes === 'all',
    isLines: contentType === 'application/x-ndjson',
    render({ summary, messages, past }) {
      const written = (of: readonly Message[]) => writeSession(id, { summary, kept: keptOf(of), facts: FACTS })
      const { body, notCarried } = written(messages)
      deepEqual(notCarried, {})
      return addPast(id, body, written(past).body)
    },
  }
}

const withData = (block: ContentBlock): ContentBlock =>
  block.type === 'image' ? { type: block.type, source: IMAGE } : block

/** Returns messages as a writer gets them: images with their data, and the results of parallel calls in another order. */
function keptOf(messages: readonly Message[]): Message[] {
  const kept: Message[] = []
  let results: Message[] = []
  for (const message of messages) {
    if (message.role === 'toolResult') {
      results.unshift(message)
      continue
    }
    kept.push(...results)
    results = []
    kept.push(message.role === 'user' ? { ...message, content: message.content.map(withData) } : message)
  }
  return [...kept, ...results]
}
