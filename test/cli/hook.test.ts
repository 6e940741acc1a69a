import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createChallenge } from '../../src/http/token-proof.ts'
import { AGENT_HOOKS, hooksOf, type HookedAgentName } from '../../src/agents/hooks.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'
import { EXAMPLE, largeSession, runCli, runProcess, writeCommand, type RunOptions } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const SUMMARY =
  '## Goal\nLook at each line.\n\n## Progress\n### Done\n- looked at all lines before the newest\n\n## Next Steps\n1. Look at the next line.'

/** Lines of a session of Claude Code. */
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => from + index)
    .map((number) => {
      const text = `Look at line ${number}. ${'It adds two numbers. '.repeat(60)}`
      const common = { uuid: `u${number}`, parentUuid: number === 0 ? null : `u${number - 1}`, sessionId: 'session-1' }
      const role = number % 2 === 0 ? 'user' : 'assistant'
      return `${JSON.stringify({ type: role, ...common, isSidechain: false, cwd: '/p', message: { role, content: text } })}\n`
    })
    .join('')

/** A home with a session, and a command that writes summaries and counts its runs. */
function setUp(t: Test, count = 20) {
  const home = folderOf(t)
  const path = join(home, '.claude/projects/-p/session-1.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(0, count))
  const log = join(home, 'runs')
  const script = `const fs = require('fs'); fs.readFileSync(0)
    fs.appendFileSync(${JSON.stringify(log)}, (process.env.PRECIS_NESTED ?? '') + '\\n')
    process.stdout.write(${JSON.stringify(SUMMARY)})`
  const PATH = writeCommand(home, 'writer', script)
  const runs = (): number => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0)
  const run = (
    event: string,
    input: object = {},
    { args = [], env = {} }: { args?: string[]; env?: RunOptions['env'] } = {},
  ) =>
    runCli(['hook', 'claude-code', event, ...args], {
      ...{ home, cwd: home, env: { PATH, ...env } },
      input: JSON.stringify({ session_id: 'session-1', transcript_path: path, hook_event_name: event, ...input }),
    })
  return { home, path, PATH, runs, run }
}

/** So many lines are more than 0.7 of the threshold of a window of 60,000 tokens, and less than the threshold. */
const NEAR_THRESHOLD = 120

const contextIn = (stdout: string): string => JSON.parse(stdout).hookSpecificOutput.additionalContext

const WITH = ['--with', 'writer']

t.test('Claude Code gets the summary after its compaction, and how to look things up', async (t) => {
  const { run, runs } = setUp(t)
  const before = await run('PreCompact', { trigger: 'auto' }, { args: WITH })
  t.match(before, { code: 0, stdout: /^Write at most ten lines: [^\n]*\n$/, stderr: '' })
  t.ok(runs() > 0)
  t.same(await run('SessionStart', { source: 'startup' }), { code: 0, stdout: '', stderr: '' })
  const { stdout } = await run('SessionStart', { source: 'compact' })
  t.match(
    contextIn(stdout),
    /^Summary of the conversation before the compaction \(part 1 of 1\)\. To look up what it replaces: Run `.* recall session-1 WORDS` in the shell.*\n\n## Goal\nLook at each line\./,
  )
  t.equal((await run('SessionStart', { source: 'compact' })).stdout, '')
})

t.test(
  'parts of a summary are removed after an hour, and notes after a week, at the next event of any session',
  async (t) => {
    const { home, run } = setUp(t)
    await run('PreCompact', {}, { args: WITH })
    const folder = join(home, '.local/state/precis/hooks')
    const names = readdirSync(folder)
    t.match(names, [/\.1$/])
    const setBack = (name: string, hours: number): void => {
      const seconds = Date.now() / 1000 - hours * 3600
      utimesSync(join(folder, name), seconds, seconds)
    }
    const notes = ['a.note', 'b.note']
    for (const name of notes) writeFileSync(join(folder, name), '{}')
    setBack('a.note', 167)
    setBack('b.note', 169)
    const end = (): Promise<unknown> => run('Stop', { session_id: 'session-2' })
    await end()
    t.same(readdirSync(folder).sort(), [...names, 'a.note'].sort())
    for (const name of names) setBack(name, 1.1)
    await end()
    t.same(readdirSync(folder), ['a.note'])
  },
)

t.test('an agent with the tool for look-ups is told its name too, beside the command of its shell', async (t) => {
  const { home, run } = setUp(t)
  t.match(await runCli(['install', 'claude-code', '--yes'], { home, cwd: home }), { code: 0 })
  await run('PreCompact')
  t.match(
    contextIn((await run('SessionStart', { source: 'compact' })).stdout),
    / To look up what it replaces: Call the tool `recall` of the server precis, or run `precis recall session-1 WORDS` in the shell \(--help lists its options\)\.\n/,
  )
})

t.test(
  'a long summary is shown in parts that the agent does not cut, one at an event, and only after a compaction',
  async (t) => {
    const { run, home } = setUp(t, 400)
    await run('PreCompact')
    t.equal((await run('PostToolUse')).stdout, '', 'the compaction has not come yet')
    const first = contextIn((await run('SessionStart', { source: 'compact' })).stdout)
    const [, count = ''] = /\(part 1 of (\d)\)/.exec(first) ?? []
    t.ok(Number(count) > 1)
    const others = []
    for (let part = 2; part <= Number(count); part++)
      others.push(contextIn((await run(part === 2 ? 'PostToolUse' : 'UserPromptSubmit')).stdout))
    t.match(others[0], `Summary of the conversation before the compaction (part 2 of ${count}).\n\n`)
    for (const text of [first, ...others]) t.ok(JSON.stringify(text).length < 10_000)
    t.equal((await run('PostToolUse')).stdout, '')
    t.ok(existsSync(join(home, '.local/state/precis/hooks')))
  },
)

t.test('without its options, a hook writes with what the configuration says, or by code', async (t) => {
  const { run, runs, home } = setUp(t)
  t.match(await run('PreCompact'), { code: 0, stdout: /^Write/ })
  t.equal(runs(), 0)
  mkdirSync(join(home, '.config/precis'), { recursive: true, mode: 0o755 })
  writeFileSync(join(home, '.config/precis/config.json'), '{"with":"writer","no-recall":true}', { mode: 0o600 })
  await run('PreCompact')
  t.ok(runs() > 0)
  t.notMatch(contextIn((await run('SessionStart', { source: 'compact' })).stdout), /look up what it replaces/)
})

t.test('if a summary fails, no older one is shown, and the agent goes on as without the hook', async (t) => {
  const { run } = setUp(t)
  await run('PreCompact')
  const failed = await run('PreCompact', { transcript_path: '/nowhere.jsonl' })
  t.match(failed, {
    code: 0,
    stdout: '',
    stderr: /^precis: \/nowhere\.jsonl cannot be read: there is no such file\.\n$/,
  })
  t.equal((await run('SessionStart', { source: 'compact' })).stdout, '')
})

t.test('a model that hangs or fails costs at most the deadline: then code picks the sentences', async (t) => {
  const { run, home, PATH } = setUp(t)
  writeCommand(home, 'hanging', 'setInterval(() => undefined, 1000)')
  const ran = await run('PreCompact', {}, { args: ['--with', 'hanging'], env: { PRECIS_DEADLINE_MS: '300', PATH } })
  t.match(ran, {
    ...{ code: 0, stdout: /^Write at most/ },
    stderr:
      /^The model failed, so the embedded summarizer has written the summary: hanging wrote no summary within \d+ ms\.[^\n]*\n$/,
  })
  t.match(contextIn((await run('SessionStart', { source: 'compact' })).stdout), /First request:\nLook at line 0\./)
  writeCommand(home, 'failing', 'console.error("Please run\\n/login"); process.exit(1)')
  t.match(await run('PreCompact', {}, { args: ['--with', 'failing'], env: { PATH } }), {
    ...{ code: 0, stdout: /^Write at most/ },
    stderr:
      /^The model failed, so the embedded summarizer has written the summary: failing: [^\n]* Please run [^\n]*\n$/,
  })
})

t.test('of a file that is no session, the error says so, and blames no model', async (t) => {
  const { run, path, runs } = setUp(t)
  writeFileSync(path, 'no session\n')
  const { code, stdout, stderr } = await run('PreCompact', {}, { args: WITH })
  t.same([code, stdout, runs()], [0, '', 0])
  t.match(stderr, /^precis: [^\n]+\n$/)
  t.ok(stderr.startsWith(`precis: ${path} is no `), stderr)
  t.notMatch(stderr, /The model failed/)
})

t.test('whatever is wrong with a hook, its exit code is 0, and stderr has one line', async (t) => {
  const { run, home } = setUp(t)
  const cases: [ran: Promise<{ code: number | null; stdout: string; stderr: string }>, line: RegExp][] = [
    [run('PreCompat'), /There is no event of claude-code "PreCompat" with something to do\. Did you mean PreCompact\?/],
    [
      runCli(['hook', 'claude', 'Stop']),
      /There is no agent "claude" with something to do\. Choose one of claude-code, /,
    ],
    [runCli(['hook']), /precis hook takes AGENT EVENT/],
    [runCli(['hook', 'codex', 'Stop'], { input: 'no JSON' }), /codex has not said which session this is/],
    [run('Stop', {}, { args: ['--windov', '1'] }), /Unknown option '--windov'\. Did you mean --window\?/],
    [run('PreCompact', {}, { env: { PRECIS_CONFIG: 'config.json' } }), /PRECIS_CONFIG must be an absolute path/],
    [runProcess(['hook', 'codex', 'PreCompact'], { home, input: '{}' }), /codex has not said which session this is/],
  ]
  for (const [ran, line] of cases) {
    const { code, stdout, stderr } = await ran
    t.same([code, stdout, stderr.split('\n').length <= 2], [0, '', true], stderr)
    t.match(stderr, line)
  }
  mkdirSync(join(home, '.config/precis'), { recursive: true, mode: 0o755 })
  writeFileSync(join(home, '.config/precis/config.json'), '{"a":1,"b":2}', { mode: 0o600 })
  t.equal((await run('PreCompact')).stderr.split('\n').length, 2)
})

t.test('a program that writes a summary for us runs no hook of ours', async (t) => {
  const { run, runs, home } = setUp(t)
  const ran = await run('PreCompact', {}, { args: WITH, env: { PRECIS_NESTED: '1' } })
  t.same([ran, runs()], [{ code: 0, stdout: '', stderr: '' }, 0])
  await run('PreCompact', {}, { args: WITH })
  t.match(readFileSync(join(home, 'runs'), 'utf8'), /^1\n/)
})

t.test('what was prepared before the compaction is used then, and no model is called', async (t) => {
  const { run, runs, path } = setUp(t, NEAR_THRESHOLD)
  t.same(await run('Stop', {}, { args: [...WITH, '--now', '--window', '2000000'] }), {
    code: 0,
    stdout: '',
    stderr: '',
  })
  t.equal(runs(), 0, 'the session is far from its threshold')
  const near = ['--window', '60000', ...WITH]
  await run('Stop', {}, { args: [...near, '--now'] })
  const prepared = runs()
  t.ok(prepared > 0)
  await run('Stop', {}, { args: [...near, '--now'] })
  t.equal(runs(), prepared, 'nothing is new')
  await run('PreCompact', {}, { args: near })
  t.equal(runs(), prepared)
  t.match(contextIn((await run('SessionStart', { source: 'compact' })).stdout), '## Goal\nLook at each line.')
  appendFileSync(path, lines(NEAR_THRESHOLD, NEAR_THRESHOLD + 20))
  await run('PreCompact', {}, { args: near })
  t.ok(runs() > prepared, 'a model reads what is new')
})

t.test(
  'an event starts a preparation in the background only if the file has grown enough since the last look',
  async (t) => {
    const { home, path, PATH, runs } = setUp(t, NEAR_THRESHOLD)
    const stop = (window: string) =>
      runProcess(['hook', 'claude-code', 'Stop', '--with', 'writer', '--window', window], {
        ...{ home, cwd: home, env: { PATH } },
        input: JSON.stringify({ session_id: 'session-1', transcript_path: path }),
      })
    const folder = join(home, '.local/state/precis/hooks')
    await stop('2000000')
    t.notOk(existsSync(folder), 'too small for such a window')
    t.same(await stop('60000'), { code: 0, stdout: '', stderr: '' })
    await until(() => runs() > 0 && !existsSync(join(home, '.local/state/precis/watcher')))
  },
)

t.test('all agents prepare also where the plan says `compact`: they compact later than that', async (t) => {
  const { home, PATH, runs } = setUp(t)
  writeCommand(
    home,
    'opencode',
    `process.stdout.write(require('fs').readFileSync(${JSON.stringify(join(home, 'opencode'))} + '.json'))`,
  )
  const args = ['--window', '20000']
  for (const name of Object.keys(AGENT_HOOKS) as HookedAgentName[]) {
    const { format, events, isKeeping } = hooksOf(name)
    const path = join(home, name === 'cline' ? '.cline/data/sessions/s1/s1.messages.json' : `${name}.json`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, largeSession(format, isKeeping === true ? 400 : 1600))
    t.match((await runCli(['plan', path, ...args, '--keep', '100'], { home })).stdout, /Advice +compact: /, name)
    const input = JSON.stringify({
      ...{ session_id: 's1', transcript_path: path, sessionID: 'ses_1', sessionContext: { rootSessionId: 's1' } },
    })
    const keep = isKeeping === true ? ['--keep', '100'] : []
    for (const [event, actions] of Object.entries(events)) {
      if (!actions.includes('prepare')) continue
      const before = runs()
      // Each event prepares a summary of its own.
      const options = [...WITH, ...args, ...keep, '--focus', `${name} ${event}`]
      const ran = await runCli(['hook', name, event, '--now', ...options], { home, cwd: home, env: { PATH }, input })
      t.same(ran, { code: 0, stdout: '', stderr: '' }, `${name} ${event}`)
      t.ok(runs() > before, `${name} ${event}`)
    }
  }
})

/** Starts a server that notes what it gets, and answers with a text. */
async function startStranger(t: Test, answer: string, headers: Record<string, string> = {}) {
  const received: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no token'} ${body}`)
      response.writeHead(401, headers).end(answer)
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const TOKEN = 'token-of-the-hook-test'
const REFUSAL = '{"type":"urn:precis:problem:token-refused","title":"The token is wrong"}'

t.test('a service gets the token and the session only if it has proved that it knows the token', async (t) => {
  const { run } = setUp(t)
  const hook = (url: string, PRECIS_TOKENS?: string) =>
    run('PreCompact', {}, { args: ['--url', url], env: PRECIS_TOKENS === undefined ? {} : { PRECIS_TOKENS } })
  const proofOfAnotherNumber = { 'x-precis-proof': createChallenge(TOKEN).proof }
  const strangers: [answer: string, headers: Record<string, string>, why: RegExp][] = [
    ['{"status":"ok"}', {}, /It does not answer as a service of Précis\.\n$/],
    [
      REFUSAL,
      {},
      /It has not proved that it knows the token of .* \(token-refused\)\. Start it with this token, or use one of its own\.\n$/,
    ],
    [REFUSAL, proofOfAnotherNumber, /It has not proved that it knows the token/],
  ]
  for (const [answer, headers, why] of strangers) {
    const stranger = await startStranger(t, answer, headers)
    const ran = await hook(stranger.url, TOKEN)
    t.same([ran.code, ran.stdout, stranger.received], [0, '', ['POST /compaction/plan no token {}']])
    t.ok(ran.stderr.startsWith(`precis: No session was sent to ${stranger.url}. `), ran.stderr)
    t.match(ran.stderr, why)
  }
  const service = await listenApp(t, { summarizer: fakeSummarizer(() => SUMMARY), settings: { tokens: [TOKEN] } })
  t.match(await hook(service.url, 'another-token-0000'), { code: 0, stdout: '', stderr: /has not proved/ })
  t.match(await hook(service.url, TOKEN), { code: 0, stdout: /^Write at most/ })
  t.match(contextIn((await run('SessionStart', { source: 'compact' })).stdout), '## Goal\nLook at each line.')
  const withPassword = service.url.replace('//', `//x:${TOKEN}@`)
  t.match(await hook(withPassword), { code: 0, stdout: /^Write at most/, stderr: '' })
})

t.test('without a token, a service at an address of http: gets nothing, not even a request', async (t) => {
  const { run } = setUp(t)
  const { url, received } = await startStranger(t, REFUSAL)
  t.same(await run('PreCompact', {}, { args: ['--url', url] }), {
    ...{ code: 0, stdout: '' },
    stderr:
      `precis: No session was sent to ${url}. Without a token, it cannot prove that it is yours. Start it with PRECIS_TOKENS, ` +
      'and give the token to the hook, too: in PRECIS_TOKENS, or with "url" and "token-file" in the configuration.\n',
  })
  t.same(received, [])
})

t.test('pi gets the compaction itself, with its own settings', async (t) => {
  const home = folderOf(t)
  const { code, stdout, stderr } = await runCli(['hook', 'pi', 'session_before_compact'], {
    home,
    input: JSON.stringify({ transcript_path: EXAMPLE, settings: { keepRecentTokens: 8000, contextWindow: 50_000 } }),
  })
  t.same([code, stderr], [0, ''])
  const { summary, firstKeptEntryId, tokensBefore, details } = JSON.parse(stdout)
  t.match(summary, /^## Goal\n/)
  t.match(summary, /## Looking things up\n/)
  t.ok(readFileSync(EXAMPLE, 'utf8').includes(`"${firstKeptEntryId}"`))
  t.ok(tokensBefore > 40_000)
  t.same(Object.keys(details).sort(), ['modifiedFiles', 'readFiles'])
})

t.test('Gemini CLI is told how to look things up at the first event after a compaction', async (t) => {
  const home = folderOf(t)
  const path = join(home, 'session.jsonl')
  const list = (...texts: string[]) =>
    `${JSON.stringify({ $set: { messages: texts.map((text) => ({ type: 'gemini', content: [{ text }] })) } })}\n`
  const compacted = list('<state_snapshot>So far.</state_snapshot>', 'Got it. Thanks for the additional context!')
  writeFileSync(path, compacted)
  const ask = () =>
    runCli(['hook', 'gemini', 'BeforeAgent'], {
      home,
      input: JSON.stringify({ session_id: 's', transcript_path: path }),
    })
  t.equal((await ask()).stdout, '', 'what was before the first event is not looked for')
  appendFileSync(path, '{"type":"gemini"}\n')
  t.equal((await ask()).stdout, '')
  appendFileSync(path, list('All messages of a session that is resumed.'))
  t.equal((await ask()).stdout, '', 'a resume writes a list, too')
  appendFileSync(path, compacted)
  const { hookSpecificOutput } = JSON.parse((await ask()).stdout)
  t.equal(hookSpecificOutput.hookEventName, 'BeforeAgent')
  t.match(
    hookSpecificOutput.additionalContext,
    /^A summary has replaced older messages\. To look up what they said: Run /,
  )
  t.equal((await ask()).stdout, '')
})

t.test('the session of each agent is found in what it says of an event', async (t) => {
  const machine = { env: {}, home: '/home/u' }
  const sessionIn = (name: HookedAgentName, input: object) =>
    hooksOf(name).sessionOf(input as Record<string, unknown>, machine)
  for (const name of ['claude-code', 'codex', 'gemini', 'qwen', 'pi', 'oh-my-pi'] as const) {
    t.same(sessionIn(name, { session_id: 's', transcript_path: '/t' }), { id: 's', path: '/t' })
    t.equal(sessionIn(name, { session_id: 's' }), undefined)
  }
  t.same(sessionIn('cline', { sessionContext: { rootSessionId: 'a1' } }), {
    ...{ id: 'a1', path: '/home/u/.cline/data/sessions/a1/a1.messages.json' },
  })
  t.equal(sessionIn('cline', { sessionContext: { rootSessionId: '../a' } }), undefined)
  t.same(sessionIn('opencode', { sessionID: 'ses_1' }), { id: 'ses_1' })
  t.equal(sessionIn('opencode', { sessionID: '--help' }), undefined)
})

t.test('docs/agents.md names the events of each agent', async (t) => {
  const [, docs = ''] = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8').split('## Hooks\n')
  for (const name of Object.keys(AGENT_HOOKS) as HookedAgentName[]) {
    const [row = ''] = docs.split('\n').filter((line) => line.split(' | ')[0]?.includes(`\`${name}\``))
    const named = [...row.matchAll(/`([^`]+)`/g)].map(([, word]) => word)
    const isEvent = (word = ''): boolean => /^[a-z]+[A-Z_.][\w.]*$|^[A-Z]/.test(word)
    t.same([...new Set(named.filter(isEvent))].sort(), Object.keys(hooksOf(name).events).sort(), name)
  }
})
