import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmdirSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { KnownSessions } from '../../src/mcp/known-session.ts'
import { largeSession, runCli } from '../cli/run-cli.ts'
import { openClient, openTools } from './open-client.ts'
import {
  CONVERSATION,
  linked,
  openDesk,
  returns,
  calls,
  says,
  user,
  writeLines,
  writePi,
  writeSession,
} from './sessions.ts'

const ID = '0199c0de-0000-7000-8000-000000000001'

t.test('a session that grows between calls is searched as it is now, the second and the tenth time', async (t) => {
  const desk = openDesk(t)
  const path = writePi({ ...desk, id: ID, entries: CONVERSATION })
  const { call } = await openClient(t, { ...desk, name: 'pi' })
  for (let round = 1; round <= 10; round++) {
    const { text } = await call('recall', { query: 'gamma', scope: 'all', session: ID })
    t.match(text, `Searched: ${11 + 2 * round} entries of the whole session. With all words: ${round - 1} message`)
    const next = linked([user(`Is it gamma ${round}?`), says('It is not.')], 12 + 2 * round)
    appendFileSync(path, writeLines(next))
  }
  // The agent writes a line at this moment.
  appendFileSync(path, '{"type":"message","id":"late","mess')
  t.match(
    (await call('recall', { query: 'gamma', scope: 'all', session: ID })).text,
    'With all words: 10 messages and calls',
  )
})

t.test('a compaction that is added between calls changes what was replaced', async (t) => {
  const desk = openDesk(t)
  const path = writePi({ ...desk, id: ID, entries: CONVERSATION })
  const call = await openTools({ ...desk, name: 'pi' })
  t.match((await call('recall', { query: 'changelog', session: ID })).text, 'With all words: 0')
  appendFileSync(
    path,
    writeLines(linked([{ type: 'compaction', summary: 'All is done.', firstKeptEntryId: 'e14' }], 14)),
  )
  t.match((await call('recall', { query: 'changelog', session: ID })).text, 'With all words: 2')
})

t.test('what a compaction has replaced in the file of a session is found in its backup', async (t) => {
  const desk = openDesk(t)
  const root = join(desk.home, '.gemini/tmp/p')
  writeSession(join(root, '.project_root'), desk.folder)
  const path = writeSession(join(root, 'chats/session-2026-11-22.json'), largeSession('gemini, one object'), 30)
  const call = await openTools({ ...desk, name: 'gemini-cli-mcp-client' })
  const before = await call('recall', { query: '"fix the parser in parser.ts"', scope: 'all', session: path })
  t.match(before.text, /\n\[id \S+\] the user's words · /)
  const { code, stderr } = await runCli(['compact', path, '--write', '--keep', '100'], desk)
  t.equal(code, 0, stderr)
  const broken = `${path}.precis-9-0123456789abcdef.bak`
  mkdirSync(broken)
  for (const round of [1, 2]) {
    const after = await call('recall', { query: '"fix the parser in parser.ts"', session: path })
    t.match(after.text, /\n\[id backup-1:\S+\] the user's words · /, `round ${round}`)
    t.match(after.text, `Not searched, because it could not be read: "${basename(broken)} (not a file)".\n`)
  }
  rmdirSync(broken)
  t.notMatch((await call('outline', { session: path })).text, 'Not searched')
})

const PARTS = { readFromDatabase: () => Buffer.alloc(0), copiesOf: () => ({ copies: [], unread: [] }) }

t.test('of a file that has grown, only the tail is read; one that was written anew is read as a whole', async (t) => {
  const desk = openDesk(t)
  const filler = Array.from({ length: 60 }, (_, number) => says(`Filler ${number}. ${'word '.repeat(600)}`))
  const entries = [...filler, user('The middle word is alpha.'), ...filler]
  const path = writePi({ ...desk, id: ID, entries })
  const stored = { agent: 'pi', id: ID, path, modifiedMs: 0, project: () => desk.folder }
  const known = new KnownSessions(PARTS)
  const textOf = (): string => {
    const { passages } = known.open(stored)
    return passages.map(({ text }) => text).join('\n')
  }
  t.match(textOf(), 'The middle word is alpha.')
  t.equal(known.open(stored), known.open(stored), 'a file that has not changed is not parsed again')
  const place = readFileSync(path).indexOf('alpha')
  const file = openSync(path, 'r+')
  writeSync(file, 'gamma', place)
  closeSync(file)
  appendFileSync(path, writeLines(linked([user('The last word is omega.')], 122)))
  t.match(textOf(), /The middle word is alpha\.[^]*The last word is omega\./, 'no agent changes what it has written')
  writePi({ ...desk, id: ID, entries: [user('Another file.'), ...entries, user('It is longer.')] })
  t.match(textOf(), /^Another file\.[^]*The middle word is alpha\.[^]*It is longer\.$/)
  writePi({ ...desk, id: ID, entries: [user('A short file.')] })
  t.equal(textOf(), 'A short file.')
})

t.test('a session of 16 MB is answered from, and again after it has grown', async (t) => {
  const desk = openDesk(t)
  const output = 'line of a log with some words in it\n'.repeat(4000)
  const entries = Array.from({ length: 110 }, (_, number) => [
    calls(`c${number}`, 'bash', { command: `cat log-${number}` }),
    returns(`c${number}`, number === 50 ? `${output}needle 4711\n` : output),
  ])
  const path = writePi({ ...desk, id: ID, entries: [user('Read all logs.'), ...entries.flat()] })
  const call = await openTools({ ...desk, name: 'pi' })
  t.match(
    (await call('recall', { query: 'needle 4711' })).text,
    /With all words: 1 message or call[^]*\n\| needle 4711$/,
  )
  appendFileSync(path, writeLines(linked([user('Where is needle 4711?')], 222)))
  t.match((await call('recall', { query: 'needle 4711' })).text, 'With all words: 2 messages and calls')
})
