import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { startApp } from '../support/start-app.ts'
import { post } from '../support/write-back.ts'

const FOLDER = new URL('../fixtures/write-back/', import.meta.url)
const MARK = '\uFEFF'

/** The session of each agent that can be written back, as its agent writes it. */
const SESSIONS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\/input\.jsonl?$/.test(name))
  .map((name) => ({ name, isLines: name.endsWith('l'), session: readFileSync(new URL(name, FOLDER), 'utf8') }))

const spread = (session: string, isLines: boolean): string =>
  isLines ? `\n \n${session.replaceAll('\n', '\n\t\n')}` : `\n ${session}\n\n`

/** Returns a session as editors and other systems save it. */
const formsOf = (session: string, isLines: boolean): Record<string, string> => ({
  'a byte order mark': MARK + session,
  'the line ends of Windows': session.replaceAll('\n', '\r\n'),
  'blank lines': spread(session, isLines),
  'all three': MARK + spread(session, isLines).replaceAll('\n', '\r\n'),
  'no end of the last line': session.trimEnd(),
})

const { app } = await startApp(t)

/** Returns the context after a compaction that was written back, without its time. */
async function contextAfter(document: string): Promise<unknown> {
  const url = '/compaction?reply=native&summary=Short.&keepRecentTokens=60'
  const { body, headers } = await post(app, url, document)
  const written = headers['x-precis-native'] === 'append' ? document + body : body
  const context = await post(app, `/context?format=${String(headers['x-precis-format'])}`, written)
  return context.json<{ messages: object[] }>().messages.map((message) => ({ ...message, timestamp: 0 }))
}

t.ok(SESSIONS.length > 25, `${SESSIONS.length} sessions`)
for (const { name, isLines, session } of SESSIONS)
  t.test(`${name}: a session is written back whatever its line ends, and with a byte order mark`, async (t) => {
    const expected = await contextAfter(session)
    t.match(JSON.stringify(expected), 'Short.')
    for (const [form, document] of Object.entries(formsOf(session, isLines)))
      t.strictSame(await contextAfter(document), expected, form)
  })
