import t from 'tap'
import { readRequest, readingOf } from '../../src/ingest/read-request.ts'
import { COMPACTION_FORMS } from '../../src/schemas/compaction-request.ts'
import { compactSession } from '../../src/use-cases/compaction/compact-session.ts'
import { asLines } from '../support/read-document.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

const READING = readingOf(COMPACTION_FORMS, false)

const WORDS = 'Some words. '.repeat(30)

const CHAT = Array.from({ length: 400 }, (_, index) => [
  { role: 'user', content: `Do ${index}. ${WORDS}` },
  { role: 'assistant', content: `Done. ${WORDS}` },
]).flat()

const SESSIONS: Readonly<Record<string, string>> = {
  'a chat': JSON.stringify({ messages: CHAT }),
  'the list of a chat': JSON.stringify(CHAT),
  'a chat on lines': asLines(CHAT),
  'the history of Cline, Roo and Kilo': JSON.stringify(
    CHAT.map((message, index) => ({ ...message, ts: 1000 + index })),
  ),
}

/** Returns how many characters `JSON.parse` gets while a function runs. */
function charactersParsed(run: () => void): number {
  const { parse } = JSON
  let characters = 0
  JSON.parse = (text: string, reviver): unknown => {
    characters += text.length
    return parse(text, reviver)
  }
  try {
    run()
  } finally {
    JSON.parse = parse
  }
  return characters
}

for (const [name, text] of Object.entries(SESSIONS))
  t.test(`to write a compaction back, ${name} is parsed once`, async (t) => {
    const query = { native: 'true', keepRecentTokens: '600' }
    const received = { body: Buffer.from(text), isLines: text.startsWith('{"role"'), query }
    const characters = charactersParsed(() => {
      const read = readRequest(received, READING, WORK_CONTEXT)
      if (read.session === undefined) throw new Error('The body has a session.')
      const { material } = compactSession.prepare(read, { ...WORK_CONTEXT, nowMs: 0 })
      t.ok(material.writeBack)
    })
    // The first lines and the kept messages are looked at once more.
    t.ok(characters < 1.1 * text.length, `${(characters / text.length).toFixed(2)} times its length`)
  })
