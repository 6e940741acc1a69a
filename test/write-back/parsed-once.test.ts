import t from 'tap'
import { LISTS, SESSIONS } from '../support/agent-sessions.ts'
import { charactersParsed } from '../support/characters-parsed.ts'
import { startApp } from '../support/start-app.ts'

const { app } = await startApp(t)

const OLD = 'Some words of the parser. '.repeat(1200)
const NEW = 'Some more words of the lexer. '.repeat(2000)

/** Returns a session with a long text before the cut, in its first message, and one after it. */
const grow = (document: string): string =>
  document.replaceAll('Fix the parser', `${OLD}Fix the parser`).replaceAll('The lexer splits', `${NEW}The lexer splits`)

/** How a document is sent: as curl does, as lines, and in an envelope. */
const WAYS: Readonly<Record<string, (document: string) => { type: string; payload: string }>> = {
  'as it is': (payload) => ({ type: 'application/x-www-form-urlencoded', payload }),
  'as lines': (payload) => ({ type: 'application/x-ndjson', payload }),
  'in an envelope': (document) => ({ type: 'application/json', payload: `{"session": ${document}}` }),
}

const isLines = (document: string): boolean => document.includes('}\n{')

// What is read once for all requests is not counted.
await app.inject({ method: 'POST', url: '/compaction', payload: grow(LISTS['chat'] ?? '') })

for (const [name, document] of Object.entries({ ...SESSIONS, ...LISTS, 'chat on lines': asChatLines() }))
  t.test(`to compact a session and write it back, it is parsed once: ${name}`, async (t) => {
    for (const [way, send] of Object.entries(WAYS)) {
      if (isLines(document) && way === 'in an envelope') continue
      const { type, payload } = send(grow(document))
      const characters = await charactersParsed(async () => {
        const url = '/compaction?reply=native&keepRecentTokens=5000'
        const { statusCode } = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
        t.equal(statusCode, 200)
      })
      const times = characters / payload.length
      t.ok(times > 0.9 && times < 1.05, `${way}: ${times.toFixed(2)} times its length`)
    }
  })

/** The messages of the chat, each on a line: the first is long. */
function asChatLines(): string {
  const messages = JSON.parse(LISTS['chat'] ?? '') as object[]
  return messages.map((message) => JSON.stringify(message)).join('\n')
}
