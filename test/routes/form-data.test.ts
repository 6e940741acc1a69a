import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { SESSIONS } from '../support/agent-sessions.ts'
import { listenApp } from '../support/start-app.ts'
import { folderOf } from '../support/temp-folder.ts'

const CLAUDE = SESSIONS['claude-code'] ?? ''

t.test('a session file may be sent as a form, as `curl -F` does', async (t) => {
  const { url } = await listenApp(t)
  const folder = folderOf(t)
  const file = join(folder, 'session.jsonl')
  writeFileSync(file, CLAUDE)
  const curl = async (path: string, ...form: string[]) => {
    const parts = form.flatMap((one) => ['-F', one])
    const { stdout } = await promisify(execFile)('curl', ['-fsS', `${url}${path}`, ...parts])
    return stdout
  }
  const plan = JSON.parse(await curl('/compaction/plan', `session=@${file}`, 'keepRecentTokens=45')) as object
  t.match(plan, { firstKeptEntryId: 'u2', report: { format: 'claude-code' } })
  const asText = JSON.parse(await curl('/compaction/plan?keepRecentTokens=45', `session=<${file}`)) as object
  t.strictSame(asText, plan, 'a part without a file name, and a query parameter, are the same')
  const native = await curl('/compaction?reply=native&keepRecentTokens=45', `any=@${file}`, 'summary=My own words.')
  t.match(native, /^\n\{.*My own words\..*\}\n$/s, 'the file without a line feed at its end gets one first')
})

t.test('a form of a browser is a session of the page itself, and never that of another origin', async (t) => {
  const { url } = await listenApp(t)
  const post = async (path: string, headers: Record<string, string> = {}) => {
    const form = new FormData()
    form.set('session', new Blob([CLAUDE.repeat(2)]), 'session.jsonl')
    form.set('keepRecentTokens', '45')
    const response = await fetch(url + path, { method: 'POST', body: form, headers })
    const { type = '', detail = '' } = (await response.json()) as { type?: string; detail?: string }
    return [response.status, type, detail]
  }
  t.equal((await post('/compaction/plan', { origin: url }))[0], 200)
  for (const origin of ['https://evil.example', 'null'])
    t.match(await post('/compaction/plan', { origin }), [403, 'urn:precis:problem:foreign-origin'], origin)
  t.match(await post('/v1/chat/completions'), [415, 'urn:precis:problem:unsupported-media-type', /application\/json/])
})

t.test('a form that is too large is 413, and one without a boundary or a session is 400', async (t) => {
  const { app } = await listenApp(t, { settings: { bodyLimitBytes: 5000 } })
  const post = async (boundary: string, payload: string) => {
    const headers = { 'content-type': `multipart/form-data${boundary}` }
    const reply = await app.inject({ method: 'POST', url: '/compaction/plan', headers, payload })
    return [reply.statusCode, reply.json<{ detail: string }>().detail]
  }
  const part = 'Content-Disposition: form-data; name="keepRecentTokens"\r\n\r\n1\r\n'
  t.match(await post('; boundary=b', `--b\r\n${part}--b--\r\n`), [400, /no part has a file name/])
  t.match(await post('; boundary="b:1"', `--b:1\r\n${part}--b:1--\r\n`), [400, /no part has a file name/])
  t.match(await post('', `--b\r\n${part}--b--\r\n`), [400, /has no boundary/])
  t.match(await post('; boundary=b', 'x'.repeat(5001)), [413])
})
