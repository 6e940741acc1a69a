import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { messagesOf, planCompaction } from '../../src/plan/plan-compaction.ts'
import { serializeConversation } from '../support/serialize-conversation.ts'
import { FORMAT_IDS } from '../../src/schemas/format-ids.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import type { Message } from '../../src/session/message.ts'
import { findLatestRequest } from '../../src/summary/requests.ts'
import { readDocument } from '../support/read-document.ts'
import { piSession } from '../support/random-conversation.ts'
import { renderedSession, RENDERINGS } from '../support/render-messages.ts'
import { casesOf } from '../support/random-cases.ts'

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
  const { history, turnPrefix, kept, tokensBefore, tokensKept, previousSummary, cut, runs } = plan
  // Files of the entries before the compaction count too: the session of pi has none of these entries.
  const files = collectFiles({ messages: messagesOf(history, turnPrefix), runs })
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

for (const [name, rendering] of Object.entries(RENDERINGS))
  t.test(`a conversation in the format ${name} is cut and shown as the same conversation in pi's`, async () => {
    const { format, isLines = false } = rendering
    const keptTokens = fc.integer({ min: 1, max: 400 })
    fc.assert(
      // Its format is detected, or named by the client.
      fc.property(renderedSession(rendering), keptTokens, fc.constantFrom({}, { format }), (rendered, keep, query) => {
        const { document, ...conversed } = rendered
        deepEqual(findings(document, keep, { isLines, query }), findings(piSession(conversed), keep))
      }),
      { numRuns: casesOf(40), seed: 17 },
    )
  })

t.test('each format has a random conversation', async (t) => {
  const rendered = new Set(Object.values(RENDERINGS).map(({ format }) => format))
  t.strictSame(
    FORMAT_IDS.filter((id) => !rendered.has(id)),
    [],
  )
})
