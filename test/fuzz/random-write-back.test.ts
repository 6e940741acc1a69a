import { deepStrictEqual as deepEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import type { FormatId } from '../../src/schemas/format.ts'
import { wrapCompactionSummary } from '../../src/session/message-text.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { addUsage } from '../support/add-usage.ts'
import { breakSession, FAULT } from '../support/break-session.ts'
import { continueSession, NEXT } from '../support/continue-session.ts'
import { renderedSession, RENDERINGS } from '../support/render-messages.ts'
import { REPLAYS } from '../support/replay.ts'
import { startApp } from '../support/start-app.ts'
import { afterWriteBack, compactedInPi, outcome } from '../support/write-back.ts'

// A busy machine takes several times as long as an idle one.
t.setTimeout(600_000)

/** Formats of which nothing is written back. */
const READ_ONLY = new Set<FormatId>(['swe-agent', 'goose', 'aider', 'gencode'])

/** Problems of a session that is too small. */
const SMALL = new Set(['urn:precis:problem:nothing-to-compact', 'urn:precis:problem:nothing-gained'])

/** Returns a session into which a compaction can be written back. */
function asPosted(document: string, format: FormatId): string {
  if (format !== 'opencode' && format !== 'chat') return document
  const { info, messages } = JSON.parse(document) as { info?: object; messages: object[] }
  // A list of messages, and not the form of the service, which has other fields.
  if (format === 'chat') return JSON.stringify(messages)
  // An export in which no message was taken back: nothing is written after one that was.
  return JSON.stringify({ info: { ...info, revert: undefined }, messages: messages.slice(0, -1) })
}

/** The service names calls that have no ids by their position in the document: they have other names after a compaction. */
const hasIds = (name: string): boolean => !name.endsWith('without ids')

/** What a session keeps: most sessions have 100 to 300 tokens. With usage, it is less: the setting counts in tokens of the provider. */
const KEEP = fc.integer({ min: 1, max: 150 })

/** The tokens that the provider has counted in each answer; more than the messages have. */
const USAGE = fc.constantFrom(0, 1500)

/**
 * Returns the size of the context once a compaction is written back. No usage is that of this context yet, so nothing is known of
 * what is outside the messages.
 */
function sizeAfter(summary: string, tokensAfter: number) {
  const previousSummaryTokens = estimateTextTokens(wrapCompactionSummary(summary))
  return { contextTokens: tokensAfter, tokensOutside: 0, previousSummaryTokens }
}

const WRITABLE = Object.entries(RENDERINGS).filter(([name, { format }]) => !READ_ONLY.has(format) && hasIds(name))

for (const [name, rendering] of WRITABLE)
  t.test(`a compaction that is written back into a conversation of ${name} reads as one in pi`, async (t) => {
    const { format } = rendering
    const { app } = await startApp(t)
    const counts = { written: 0, refused: new Set<string>() }
    await fc.assert(
      fc.asyncProperty(renderedSession(rendering), KEEP, USAGE, async (session, keep, usage) => {
        const posted = asPosted(session.document, format)
        const document = usage === 0 ? posted : addUsage(posted, usage)
        const query = `keepRecentTokens=${keep}`
        const reply = await app.inject({ method: 'POST', url: `/compaction?native=true&${query}`, payload: document })
        if (reply.statusCode !== 200) {
          counts.refused.add(reply.json<{ type: string }>().type)
          return
        }
        const { summary, firstKeptEntryId, details, tokensAfter = 0 } = reply.json<CompactionReply>()
        const inPi = await compactedInPi(app, document, { summary, firstKeptEntryId, details })
        const after = await afterWriteBack(app, document, query)
        deepEqual(after, await outcome(app, inPi))
        deepEqual(after.size, sizeAfter(summary, tokensAfter))
        counts.written++
      }),
      { numRuns: 10, seed: 17, endOnFailure: true },
    )
    t.ok(counts.written > 3, `${counts.written} were written`)
    t.strictSame(
      [...counts.refused].filter((type) => !SMALL.has(type)),
      [],
    )
  })

/** Problems of a session with a fault. */
const BROKEN = new Set([...SMALL, 'urn:precis:problem:invalid-session', 'urn:precis:problem:no-native-form'])

/** How many sessions of each format get a fault, and the first of them. */
const RUNS = Number(process.env['WRITE_BACK_RUNS'] ?? 6)
const SEED = Number(process.env['WRITE_BACK_SEED'] ?? 17)

for (const [name, rendering] of WRITABLE)
  t.test(
    `no kept message is lost or hidden in ${name} if an element or an id is missing, stands twice or elsewhere`,
    async (t) => {
      const { format } = rendering
      const replay = REPLAYS[format] ?? (() => [])
      const { app } = await startApp(t)
      let written = 0
      await fc.assert(
        fc.asyncProperty(renderedSession(rendering), KEEP, FAULT, async (session, keep, fault) => {
          const posted = breakSession(asPosted(session.document, format), fault)
          const query = `format=${format}&keepRecentTokens=${keep}`
          const url = `/compaction?native=true&summary=Short.&${query}`
          const reply = await app.inject({ method: 'POST', url, payload: posted })
          if (reply.statusCode !== 200) {
            const { type, detail } = reply.json<{ type: string; detail: string }>()
            const saysWhat = !type.endsWith('no-native-form') || /(?:Give|Remove|Export|Ask for) /.test(detail)
            if (!BROKEN.has(type) || !saysWhat) throw new Error(`${type}: ${detail}`)
            return
          }
          written++
          const { firstKeptEntryId, native } = reply.json<CompactionReply>()
          const after = native?.mode === 'append' ? posted + native.body : (native?.body ?? '')
          // Précis reads what pi would read.
          const inPi = await compactedInPi(app, posted, {
            query: `format=${format}`,
            summary: 'Short.',
            firstKeptEntryId,
          })
          const [{ shown }, expected] = [await outcome(app, after, `format=${format}`), await outcome(app, inPi)]
          deepEqual(shown, expected.shown)
          // The agent reads the summary, and then the newest messages that it has read before.
          // Of the first message of a user interface, some steps may stay.
          const whole = format === 'ai-ui' ? 2 : 1
          const read = withoutAnswer(replay(after))
          deepEqual(read.slice(whole), lastOf(replay(posted), read.length - whole))
          deepEqual([read[0]?.startsWith('SUMMARY '), read.length >= Math.min(2, shown.length)], [true, true])
          // Both read what follows after that.
          const next = continueSession(after, format)
          deepEqual(withoutAnswer(replay(next)).slice(0, -1), read)
          const continued = (await outcome(app, next, `format=${format}`)).shown
          deepEqual(continued.slice(0, -1), shown)
          deepEqual(JSON.stringify(continued.at(-1)).includes(NEXT), true)
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      )
      t.ok(written > RUNS / 4, `${written} were written`)
    },
  )

/** Returns messages without the answer to the summary, which lists with alternating roles need. */
const withoutAnswer = (messages: readonly string[]): string[] =>
  messages.filter((message) => !/Understood\. I continue|Got it\. Thanks/.test(message))

const lastOf = (messages: readonly string[], count: number): string[] =>
  count === 0 ? [] : withoutAnswer(messages).slice(-count)

t.test('the other formats have no place for a compaction', async (t) => {
  const { app } = await startApp(t)
  const found = new Map<FormatId, Set<string>>()
  for (const rendering of Object.values(RENDERINGS).filter(({ format }) => READ_ONLY.has(format)))
    for (const { document } of fc.sample(renderedSession(rendering), { numRuns: 4, seed: 17 })) {
      const url = '/compaction?native=true&keepRecentTokens=1'
      const { type } = (await app.inject({ method: 'POST', url, payload: document })).json<{ type: string }>()
      if (!SMALL.has(type)) found.set(rendering.format, (found.get(rendering.format) ?? new Set()).add(type))
    }
  t.strictSame(found, new Map([...READ_ONLY].map((format) => [format, new Set(['urn:precis:problem:no-native-form'])])))
})
