import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { describeError } from '../../src/cli/describe-error.ts'
import { PrecisError } from '../../src/client/client.ts'
import { startApp } from '../support/start-app.ts'

const AIDER = new URL('../fixtures/formats/aider.md', import.meta.url)

/** Returns a function that posts a session file as the command line does, and returns what its user reads about the error. */
async function poster(t: Test) {
  const { app } = await startApp(t)
  return async (url: string, payload = ''): Promise<string> => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const reply = await app.inject({ method: 'POST', url, headers, payload })
    return describeError(new PrecisError(reply.json()), { session: 'a.jsonl' }).message
  }
}

const lineOf = (id: string, parentId: string | null, content: string): string =>
  JSON.stringify({ type: 'message', id, parentId, message: { role: 'user', content } })

t.test('an error of the service names the options of the command line, and says nothing twice', async (t) => {
  const read = await poster(t)
  const long = `${lineOf('a', null, 'word '.repeat(2000))}\n${lineOf('b', 'a', 'hi')}`
  t.match(
    await read('/compaction', long),
    /^`--keep` is 20000 \(the default\), and the whole session has 2,\d{3} tokens: there is nothing to compact yet\. Lower it, to 1\d00 for example, or compact later\.$/,
  )
  t.equal(
    await read('/compaction', lineOf('a', null, 'hi')),
    '`--keep` is 20000 (the default), and the whole session has 1 token: there is nothing to compact yet. Compact later.',
  )
  const unknown = '{"type":"x"}'
  t.match(
    await read('/compaction', `${lineOf('a', null, 'hi')}\n${unknown}`),
    / Compact later\. Ignored, because their names are unknown: 1 entry type \(`x`\)\.$/,
  )
  t.equal(
    await read('/compaction?keepRecentTokens=1&native=true', readFileSync(AIDER, 'utf8')),
    'A compaction cannot be written back into this session of the format aider. Leave out `--write` (or `--reply native`).',
  )
  t.match(await read('/compaction?format=codex', lineOf('a', null, 'hi')), / Leave out `--format`: /)
  t.equal(
    await read('/compaction?keepRecentTokens=x', lineOf('a', null, 'hi')),
    'Invalid request: `--keep` is not valid.\n  /keepRecentTokens must be an integer of at least 0',
  )
})

t.test('an error about a session names it', async (t) => {
  const read = await poster(t)
  t.equal(await read('/compaction', '\n'), 'a.jsonl is empty.')
  t.equal(await read('/compaction', '{"messages": []}'), 'a.jsonl is empty: it has no entries and no messages.')
  t.equal(
    await read('/compaction', '{"type":"label","id":"a","parentId":null}'),
    'a.jsonl has 1 entry, but none with a message that can be summarized.',
  )
  t.match(
    await read('/compaction', '{"a": 1}'),
    /^a\.jsonl is no session file that Précis knows: .* Known formats are /,
  )
  t.equal(
    await read('/compaction', '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'),
    'a.jsonl is no session file that Précis knows: it is not text. `precis list` shows the sessions of your agents.',
  )
})

t.test('a 404 of an address with a path says that the path does not belong there', async (t) => {
  const { app } = await startApp(t)
  const reply = await app.inject({ method: 'POST', url: '/compaction/compaction', payload: '{}' })
  const error = new PrecisError(reply.json())
  const describe = (url: string) => describeError(error, { url }).message
  t.equal(
    describe('http://127.0.0.1:8080/compaction'),
    'There is no service below the path /compaction of --url. Give only http://127.0.0.1:8080',
  )
  t.match(describe('http://127.0.0.1:8080/'), 'Not found: Unknown route.')
})
