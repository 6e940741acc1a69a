import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { planCompaction } from '../../../src/plan/plan-compaction.ts'
import { serializeConversation } from '../../../src/prompt/serialize-conversation.ts'
import { FORMAT_IDS } from '../../../src/schemas/format.ts'
import { NEW_SESSION_FORMATS } from '../../../src/schemas/reply-form.ts'
import { selectBranch } from '../../../src/session/link-session.ts'
import type { Message } from '../../../src/session/message.ts'
import type { KeptMessage } from '../../../src/session/writers/turns.ts'
import { writeSession, WRITERS } from '../../../src/session/writers/write-session.ts'
import { findLatestRequest } from '../../../src/summary/requests.ts'
import { readDocument } from '../../support/read-document.ts'
import { messagesOf, piSession, text, turns } from '../../support/random-conversation.ts'
import { RENDERINGS } from '../../support/render-messages.ts'
import { addPast } from '../../support/add-past.ts'

const FACTS = { nowMs: Date.UTC(2026, 10, 22), seed: '', cwd: '/work' }

const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }

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

/** Returns what the service finds in a session: where it would cut, and what it would send to a model. */
function findings(document: string, keepRecentTokens: number, sent: Parameters<typeof readDocument>[1] = {}) {
  const { session } = readDocument(document, sent)
  const branch = selectBranch(session)
  const plan = planCompaction(branch, { keepRecentTokens })
  const transcript = (entries: readonly { message: Message }[]): string =>
    serializeConversation(
      entries.map(({ message }) => message),
      1_000_000,
    )
  const { history, turnPrefix, kept, files, tokensBefore, tokensKept, previousSummary, cut } = plan
  return {
    sizes: [history.length, turnPrefix.length, kept.length],
    isSplitTurn: cut?.isSplitTurn,
    transcripts: [history, turnPrefix, kept].map(transcript),
    files,
    tokensBefore,
    tokensKept,
    previousSummary,
    request: findLatestRequest([...history, ...turnPrefix, ...kept].map(({ message }) => message)),
  }
}

const isReadable = (id: string): boolean => FORMAT_IDS.some((known) => known === id)

for (const id of NEW_SESSION_FORMATS.filter(isReadable))
  t.test(`a conversation in the format ${id} is cut and shown as the same conversation in pi's`, async () => {
    const { contentType, holds } = WRITERS[id]
    const isLines = contentType === 'application/x-ndjson'
    const hasExitCodes = holds.exitCodes === 'all'
    const [present, past] = [turns(1, hasExitCodes), turns(0, hasExitCodes)]
    const keptTokens = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(present, past, text, keptTokens, (conversation, before, summary, keep) => {
        const messages = messagesOf(conversation, holds)
        const written = (of: readonly Message[]) => writeSession(id, { summary, kept: keptOf(of), facts: FACTS })
        const { body, notCarried } = written(messages)
        const document = addPast(id, body, written(messagesOf(before, holds)).body)
        deepEqual(findings(document, keep, { isLines }), findings(piSession({ summary, messages }), keep))
        deepEqual(notCarried, {})
      }),
      { numRuns: 40, seed: 17 },
    )
  })

for (const [name, { format, holds, hasSummary, hasExitCodes, fit, render }] of Object.entries(RENDERINGS))
  t.test(`a conversation in the format ${name} is cut and shown as the same conversation in pi's`, async () => {
    const [present, past] = [turns(1, hasExitCodes), turns(0, hasExitCodes)]
    const keptTokens = fc.integer({ min: 1, max: 400 })
    const held = (conversation: Parameters<typeof messagesOf>[0]): Message[] => {
      const messages = messagesOf(conversation, holds)
      return fit?.(messages) ?? messages
    }
    fc.assert(
      fc.property(present, past, text, keptTokens, (conversation, before, written, keep) => {
        const [messages, covered] = [held(conversation), held(before)]
        const document = render({ summary: written, messages, past: covered })
        const summary = hasSummary ? written : undefined
        const inPi = findings(piSession({ summary, messages }), keep)
        // Its format is detected, or named by the client.
        for (const query of [{}, { format }]) deepEqual(findings(document, keep, { query }), inPi)
      }),
      { numRuns: 40, seed: 17 },
    )
  })

t.test('each format has a random conversation, written by a writer or by a test', async (t) => {
  const rendered = new Set<string>([...NEW_SESSION_FORMATS, ...Object.values(RENDERINGS).map(({ format }) => format)])
  t.strictSame(
    FORMAT_IDS.filter((id) => !rendered.has(id)),
    [],
  )
})
