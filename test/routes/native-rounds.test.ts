import t from 'tap'
import { readSettings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import type { FormatId } from '../../src/schemas/format.ts'
import { LISTS, SESSIONS } from '../support/agent-sessions.ts'
import { addMessage } from '../support/grow-session.ts'
import { REPLAYS } from '../support/replay.ts'
import { startApp, templates } from '../support/start-app.ts'
import { post } from '../support/write-back.ts'

const ROUNDS = 10

/** Long code, which a summary leaves out: each compaction saves something. */
const CODE = `\n\n\`\`\`\n${'const table = readTable(source)\n'.repeat(100)}\`\`\``

const requestOf = (turn: number): string => `REQ-${turn} change the module m${turn} so that it checks its limit.`

const headingsIn = (text: string): string[] => text.match(/#{2,3} [A-Z][A-Za-z &]+(?=\\+n)/g) ?? []

/** Cline stores a copy of the summary in the metadata of its message, which its model does not get. */
const withoutMetadata = (message: string): string => message.replace(/"metadata":\{"kind":"compaction_summary".*\}/, '')

for (const [name, session] of Object.entries({ ...SESSIONS, ...LISTS }))
  t.test(`ten compactions that are written back into a growing session of ${name} leave one summary`, async (t) => {
    const summarizer = await createSummarizer(readSettings({}), templates)
    const { app } = await startApp(t, { summarizer })
    const format = (name.split(',')[0] ?? '') as FormatId
    const sizes: number[] = []
    let document = session
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [at, turn] of [2 * round - 1, 2 * round].entries()) {
        const answer = `OUT-${turn} the module m${turn} checks its limit now.${at === 0 ? CODE : ''}`
        document = addMessage(document, format, { role: 'user', text: requestOf(turn), number: 10 * turn })
        document = addMessage(document, format, { role: 'assistant', text: answer, number: 10 * turn + 1 })
      }
      const { body, headers } = await post(
        app,
        `/compaction?reply=native&keepRecentTokens=1&format=${format}`,
        document,
      )
      document = headers['x-precis-native'] === 'append' ? document + body : body
      const active = (REPLAYS[format]?.(document) ?? []).map(withoutMetadata)
      const summaries = active.filter((one) => one.startsWith('SUMMARY '))
      t.equal(summaries.length, 1, 'exactly one summary is active')
      const [summary = ''] = summaries
      t.strictSame(headingsIn(summary), [...new Set(headingsIn(summary))], 'no section occurs twice')
      t.match(active.join('\n'), requestOf(2 * round), 'the newest request is in the summary, or kept')
      t.match(summary, 'Fix the parser in parser.ts', 'the first request is in the summary')
      sizes.push(active.join('\n').length)
    }
    const growth = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))
    t.ok(Math.max(...growth) < 600 && (sizes.at(-1) ?? 0) < 10_000, sizes.join(' '))
  })
