import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { startModelServer } from '../support/model-server.ts'
import { ROOT } from '../support/run-server.ts'
import { listenApp } from '../support/start-app.ts'
import { EXAMPLE, largeSession, runCli, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const KEEP = ['--keep', '8000']

t.test('compact prints the summary on stdout, and what was saved on stderr', async (t) => {
  const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, ...KEEP])
  t.equal(code, 0)
  t.match(stdout, /^## Goal\n[^]*<\/modified-files>\n$/)
  t.match(
    stderr,
    /^41,875 -> \d\d,\d{3} tokens in messages \(\d+ % less\)\. Written by the embedded summarizer in [\d.]+ s\.\nKept: 5,881 tokens[^\n;]*; 8,000 were asked for\. [^\n]+\n$/,
  )
  t.notMatch(stdout + stderr, /\u001b/)
})

t.test('compact reads a session from stdin, and --quiet writes nothing on stderr', async (t) => {
  const input = readFileSync(EXAMPLE, 'utf8')
  const { code, stdout, stderr } = await runCli(['compact', '-', ...KEEP, '-q'], { input })
  t.same([code, stderr], [0, ''])
  t.match(stdout, /^## Goal\n/)
})

t.test('no model is called without --model, even if a key and a server are set', async (t) => {
  const server = await startModelServer(t, () => '## Goal\nA summary.')
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url, PRECIS_MODEL: 'm', PRECIS_UNKNOWN: 'x' }
  const { code, stderr } = await runCli(['compact', EXAMPLE, ...KEEP], { env })
  t.equal(code, 0)
  t.match(stderr, /^No model writes: PRECIS_MODEL counts for the service\. Use --model NAME\.\n[^]*embedded summarizer/)
  t.equal(server.requests.length, 0)
})

t.test('the prompts of PRECIS_PROMPTS are used, and PRECIS_HOOKS has no effect', async (t) => {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'system.md'), 'Write like a pirate.')
  const server = await startModelServer(t, () => '## Goal\nThe ledger service, by a model.')
  const env = { OPENAI_BASE_URL: server.url, PRECIS_PROMPTS: folder, PRECIS_HOOKS: '/missing.js' }
  const { code, stdout } = await runCli(['compact', EXAMPLE, ...KEEP, '--model', 'm', '--reply', 'json'], { env })
  t.equal(code, 0)
  t.match(JSON.stringify(server.requests[0]?.body), 'Write like a pirate.')
  t.match(JSON.parse(stdout).report.prompts, /^[0-9a-f]{16}$/)
})

t.test('--model has the model server write the summary', async (t) => {
  const server = await startModelServer(t, () => '## Goal\nThe ledger service, by a model.')
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url }
  const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, ...KEEP, '--model', 'some-model'], { env })
  t.equal(code, 0)
  t.match(stdout, /by a model/)
  t.match(stderr, /Written by some-model/)
  t.match(server.requests[0], { headers: { authorization: 'Bearer sk-test' }, body: { model: 'some-model' } })
})

t.test('--model without a server is a wrong use, and a server that fails is exit code 6', async (t) => {
  const missing = await runCli(['compact', EXAMPLE, '--model', 'm'])
  t.same(
    [missing.code, missing.stderr],
    [
      2,
      'precis: --model needs a model server: set OPENAI_API_KEY or OPENAI_BASE_URL (or "base-url" in the configuration file), or use --model anthropic:NAME, ' +
        'openai:NAME, gemini:NAME, openrouter:NAME, or ollama:NAME.\n',
    ],
  )
  const keyless = await runCli(['compact', EXAMPLE, '--model', 'gemini:gemini-2.5-pro,m'])
  t.equal(keyless.code, 2)
  t.match(
    keyless.stderr,
    /^precis: Invalid configuration:\nGEMINI_API_KEY must be set .*\n--model has a model without a/,
  )
  const misnamed = await runCli(['compact', EXAMPLE, '--model', 'm'], {
    env: { OPENAI_API_BASE: 'http://127.0.0.1:1' },
  })
  t.match(misnamed.stderr, /NAME\. OPENAI_API_BASE is not read\. Did you mean OPENAI_BASE_URL\?\n$/)
  const server = await startModelServer(t, () => ({ status: 401 }))
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url }
  const failed = await runCli(['compact', EXAMPLE, ...KEEP, '--model', 'm'], { env })
  t.equal(failed.code, 6)
  t.match(failed.stderr, /^precis: The model server refused this service/m)
})

t.test('--url uses a running service, with its token', async (t) => {
  const summarizer = { name: 'embedded', windowTokens: () => 128_000 } as const
  const { url } = await listenApp(t, { summarizer, settings: { tokens: ['secret-token'] } })
  const env = { PRECIS_TOKENS: 'secret-token,other' }
  const reply = await runCli(['compact', EXAMPLE, ...KEEP, '--url', url, '--reply', 'json'], { env })
  t.equal(reply.code, 0)
  t.match(JSON.parse(reply.stdout), { firstKeptEntryId: '65982522', details: { keyDecisions: Array } })
  t.match(await runCli(['plan', EXAMPLE, '--url', url.replace('//', '//x:other-token@')]), {
    code: 6,
    stderr: /^precis: No session was sent to \S+ It has not proved that it knows the token .* \(token-\w+\)\./,
  })
  const refused = await runCli(['plan', EXAMPLE, '--url', url])
  t.equal(refused.code, 6)
  t.match(
    refused.stderr,
    /^precis: Service token missing or wrong: .* Set PRECIS_TOKENS to a token of this service\.\n$/,
  )
})

t.test('without an installation, doctor checks the service of the configuration', async (t) => {
  const { url } = await listenApp(t, { settings: { tokens: ['secret-token'] } })
  const home = folderOf(t)
  const run = (token: string) => runCli(['doctor', '--url', url], { home, env: { PRECIS_TOKENS: token } })
  t.match(await run('secret-token'), {
    code: 0,
    stdout: `${url}\n  ok      ${url} is your service.\n  remark  Précis is installed into no agent. Try: precis install\n\n`,
  })
  t.match(await run('another'), { code: 1, stdout: / {2}fault {3}.* It has not proved that it knows the token/ })
})

/** Returns an address at which nothing listens any more. */
async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}`
}

t.test('a service that is not there is exit code 6, and names the cause', async (t) => {
  const url = await deadUrl()
  const { code, stdout, stderr } = await runCli(['plan', EXAMPLE, '--url', url.replace('//', '//user:password@')])
  t.same([code, stdout], [6, ''])
  t.equal(stderr, `precis: The service at ${url} cannot be reached: ECONNREFUSED. Is it running, and is --url right?\n`)
  const blocked = await runCli(['plan', EXAMPLE, '--url', 'http://127.0.0.1:1'])
  t.same(blocked, {
    code: 6,
    stdout: '',
    stderr:
      'precis: The service at http://127.0.0.1:1 cannot be reached: Node.js refuses to connect to this port, which belongs to another protocol. ' +
      'Is it running, and is --url right?\n',
  })
})

t.test(
  'a summary that is larger than what it replaces is printed, with the remark that it is not worth it',
  async (t) => {
    const lines = ['Fix the parser.', 'It is fixed.', 'Now the lexer.', 'Done.'].map((content, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    }))
    const { code, stdout, stderr } = await runCli(['compact', '-', '--keep', '1'], {
      input: JSON.stringify({ messages: lines }),
    })
    t.equal(code, 0)
    t.match(stdout, /^## Goal\n/)
    t.match(
      stderr,
      /^\d+ -> \d+ tokens in messages \(\d+ % more\)\. Written by [^\n]*\nIt is not worth it: the context would not become smaller, /,
    )
  },
)

t.test('a session with nothing to compact is exit code 3', async (t) => {
  const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, '--keep', '900000'])
  t.same([code, stdout], [3, ''])
  t.match(
    stderr,
    /^precis: `--keep` is 900000, and the messages after the last compaction have 41,006 tokens: there is nothing to compact yet\. Lower it, to 20500 for example, or compact later\.\n$/,
  )
})

t.test('a session without messages is exit code 3, without advice that its user cannot follow', async (t) => {
  const { code, stderr } = await runCli(['compact', '-'], { input: '{"messages": []}' })
  t.same([code, stderr], [3, 'precis: The session on stdin is empty: it has no entries and no messages.\n'])
})

t.test('a session that is not there, or that is none, is exit code 4', async (t) => {
  const folder = folderOf(t)
  const write = (name: string, text: string | Buffer): string => writeOld(join(folder, name), text)
  const known = '`precis list` shows the sessions of your agents\\.'
  const formats = 'Known formats are pi, .*anthropic\\.'
  const isNot = (fault: string, remedy = ` ${formats}`): RegExp =>
    new RegExp(`^precis: /.* is no session file that Précis knows: ${fault}\\. ${known}${remedy}\\n$`)
  const unknown = (seen: string): RegExp =>
    isNot(`it is ${seen}`, ` ${formats} If it is one of them, add \`--format\` and its name\\.`)
  const anObject = 'a JSON object without a field of a known format'
  const cut = (place: string): RegExp =>
    new RegExp(
      `^precis: /.* is no whole session file: it ends at ${place}, before its value is complete\\. Give the whole file\\.\\n$`,
    )
  const empty = /^precis: \/.*\.jsonl is empty\.\n$/
  const cases: [string, RegExp][] = [
    [join(folder, 'missing.jsonl'), /There is no file and no session/],
    ['0123abcd', /There is no file and no session "0123abcd". `precis list` shows/],
    ['a long text '.repeat(400), /^precis: There is no file and no session "a long text .{200,300}"\. /],
    [join(ROOT, 'package.json/x'), /There is no file and no session/],
    [folder, /is a folder/],
    [write('a.json', '{"a": 1}'), unknown(anObject)],
    [join(ROOT, 'package.json'), unknown(anObject)],
    [write('type.json', '{\n"files": [\n"a"\n],\n"type": "module"\n}'), unknown(anObject)],
    [write('none.json', '{}'), isNot(`it is ${anObject}`)],
    [write('list.json', '[{"a": 1}]'), unknown('a JSON array of 1 values of no known format')],
    [write('text.json', '"text"'), unknown('a JSON string')],
    [write('null.json', 'null'), unknown('null')],
    [write('values.jsonl', '1\n"a"\nx\n'), unknown('lines without a JSON object')],
    [write('cut.jsonl', '{"messages": [{"role":'), cut('line 1, column 23')],
    [write('cut.json', '{\n"messages": [\n{"role":'), cut('line 3, column 9')],
    [write('empty.jsonl', ''), empty],
    [write('blank.jsonl', '\n\n'), empty],
    [join(ROOT, 'README.md'), isNot('no line of it is JSON')],
    [write('utf16.json', Buffer.from('\ufeff{"a": 1}', 'utf16le')), isNot('it is UTF-16', '')],
    [write('picture.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x01', 'latin1')), isNot('it is not text', '')],
  ]
  for (const [argument, message] of cases) {
    const { code, stderr } = await runCli(['compact', argument])
    t.equal(code, 4, argument)
    t.match(stderr, message)
  }
  const { code, stderr } = await runCli(['plan', EXAMPLE, '--format', 'codex'])
  t.equal(code, 4)
  t.match(
    stderr,
    /^precis: \/.*session\.jsonl is no session of the format codex: nothing in it is .* Known formats are pi, /,
  )
})

t.test('the faults of a request are listed, without the words about a field that only the API has', async (t) => {
  const input = '{"entries": [{"type": "message", "id": 5}]}'
  const { code, stdout, stderr } = await runCli(['plan', '-'], { input })
  t.same([code, stdout], [1, ''])
  t.match(stderr, /^precis: Invalid request: The session is not valid\.\n {2}\/entries\/0[^]*\n$/)
  t.notMatch(stderr, '`errors`')
})

t.test('--reply native prints what the agent stores, byte for byte', async (t) => {
  const session = largeSession('claude-code')
  const { code, stdout, stderr } = await runCli(['compact', '-', '--keep', '1', '--reply', 'native'], {
    input: session,
  })
  t.equal(code, 0)
  const lines = stdout.split('\n').filter((line) => line !== '')
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ subtype: 'compact_boundary' }, { isCompactSummary: true }],
  )
  t.match(stderr, /^Form: append/)
})

t.test('--reply ID prints a new session for another agent', async (t) => {
  const { code, stdout } = await runCli(['compact', EXAMPLE, ...KEEP, '--reply', 'codex', '-q'])
  t.equal(code, 0)
  const plan = await runCli(['plan', '-', '--json'], { input: stdout })
  t.match(JSON.parse(plan.stdout), { hasPreviousSummary: true, report: { format: 'codex' } })
})

t.test('--reply ID says what the new session has, and where the agent looks for its file', async (t) => {
  const home = t.testdir()
  const { stdout, stderr } = await runCli(['compact', EXAMPLE, ...KEEP, '--reply', 'codex'], { home })
  const { id } = (JSON.parse(stdout.split('\n', 1)[0] ?? '') as { payload: { id: string } }).payload
  t.equal(
    stderr,
    'A new session for codex: the summary and the newest messages. The messages that the summary replaces are only in the old session.\n' +
      `Codex finds it as: ${home}/.codex/sessions/YEAR/MONTH/DAY/rollout-TIME-${id}.jsonl\n`,
  )
})

t.test('plan prints what a compaction would do, as text or JSON', async (t) => {
  const { code, stdout, stderr } = await runCli(['plan', EXAMPLE, '--window', '40000'])
  t.same([code, stderr], [0, ''])
  t.match(
    stdout,
    /^Session {3}pi\nContext {3}41,875 tokens in messages\nCompact {3}above 23,616 tokens in all \(the agent's model: a context window of 40,000; --window sets it\)\nAdvice {4}compact: the context is above the threshold\nEntries /,
  )
  const json = await runCli(['plan', EXAMPLE, '--keep', '8000', '--json'])
  t.match(JSON.parse(json.stdout), { action: 'none', firstKeptEntryId: '65982522', thresholdTokens: 170_000 })
})

t.test('plan names the entries in words, and their tokens add up to the context', async (t) => {
  const { stdout } = await runCli(['plan', EXAMPLE, '--keep', '8000'])
  const rows = Object.fromEntries(stdout.split('\n').map((line) => [line.slice(0, 9).trim(), line.slice(10)]))
  t.match(rows, {
    Entries:
      '39 in the earlier summary (9,583 tokens, no longer in the context), 101 to summarize (35,125 tokens), 20 that stay (5,881 tokens)',
    Stays: /^from the agent's message "[^"]+" on, in the middle of the work on "[^"]+" \(entry 65982522\)$/,
    Earlier: 'the earlier summary (869 tokens, in the context) is updated',
    Context: '41,875 tokens in messages',
  })
  t.equal(11_442 + 23_683 + 5_881 + 869, 41_875)
  t.notOk('Prune' in rows, 'there is nothing to remove')
})

t.test('lines that cannot be read are named on stderr', async (t) => {
  const lines = readFileSync(EXAMPLE, 'utf8').split('\n')
  const input = [...lines.slice(0, 3), '{"type":', ...lines.slice(3), 'x'].join('\n')
  const said = new RegExp(`^2 lines could not be read: 4, ${lines.length + 2}$`, 'm')
  for (const command of ['plan', 'compact']) {
    const { code, stderr } = await runCli([command, '-', ...KEEP], { input })
    t.equal(code, 0)
    t.match(stderr, said)
  }
})

t.test('an encrypted compaction of Codex is named on stderr, until a newer one can be read', async (t) => {
  const line = (type: string, payload: object) => JSON.stringify({ timestamp: 't', type, payload })
  const said = (role: 'user' | 'assistant', text: string) =>
    line('response_item', {
      ...{ type: 'message', role },
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    })
  const begin = [
    line('session_meta', { id: 's' }),
    line('event_msg', { type: 'task_started', model_context_window: 258_400 }),
    said('user', 'Fix it.'),
    said('assistant', 'It fails. '.repeat(2000)),
  ]
  const history = [{ type: 'compaction', encrypted_content: 'x' }]
  const compaction = line('compacted', { message: '', replacement_history: history })
  const encrypted = [...begin, compaction, said('user', 'Go on.')]
  const sentence =
    'Codex compacted this session at entry 2 with a summary that only the provider of its model can read: it is encrypted. ' +
    'The agent no longer reads what it replaced; Précis plans as if it did.\n'
  for (const command of ['plan', 'compact']) {
    const { code, stderr } = await runCli([command, '-', '--keep', '0'], { input: encrypted.join('\n') })
    t.equal(code, 0)
    t.ok(stderr.includes(sentence), `${command}: ${stderr}`)
  }
  const home = folderOf(t)
  writeOld(
    join(home, '.codex/sessions/2026/11/22/rollout-2026-11-22T01-02-03-0199c0de-0000-7000-8000-000000000001.jsonl'),
    encrypted.join('\n'),
  )
  const listed = await runCli(['list'], { home })
  t.equal(
    listed.stderr,
    'The newest compaction is encrypted in 1 session: 0199c0de. MESSAGES counts what it replaced, which the agent no longer reads.\n',
  )
  const newer = line('compacted', { message: '## Goal\n- Fix it.' })
  const readable = [...encrypted, newer, said('assistant', 'Fixed.')].join('\n')
  const { code, stdout, stderr } = await runCli(['plan', '-', '--keep', '0'], { input: readable })
  t.same([code, stderr], [0, ''])
  t.match(stdout, /^Earlier /m)
  t.match(stdout, /^Compact .*above 219,640 tokens .*: a context window of 258,400, as the session says; --window/m)
})
