import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Cli } from '../../src/cli/cli.ts'
import { stateFolderOf } from '../../src/cli/prepared/state-folder.ts'
import { openTerminal } from '../../src/cli/terminal.ts'
import { Display } from '../../src/cli/watch/display.ts'
import { openWatch, type Watch } from '../../src/cli/watch/open-watch.ts'
import { startModelServer, type Script } from '../support/model-server.ts'
import { writeSummary } from '../support/preparing.ts'
import { until } from '../support/until.ts'
import { largeSession, runCli, startCli, SENTENCES_ABOVE_DEFAULT } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const SUMMARY = writeSummary('The parser, by a model.')

/** The session has some 33,000 tokens: more than 0.7 of the threshold of this window, and less than the threshold. */
const VALUES = { window: '60000', keep: '100' }
const ARGS = ['--window', '60000', '--keep', '100']
const MODEL = { ...VALUES, model: 'm' }

/**
 * The time of the session's last change, and of the first look: noon of this day. `precis compact` reads the time of the machine, and what
 * was prepared is kept for a week.
 */
const NOW = new Date().setHours(12, 0, 0, 0)

/** Opens a home with a session, and a model server. */
async function openHome(t: Test, script: Script = () => SUMMARY) {
  const home = folderOf(t)
  const session = join(home, '.claude/projects/-p/s1.jsonl')
  mkdirSync(join(home, '.claude/projects/-p'), { recursive: true })
  writeFileSync(session, largeSession('claude-code', SENTENCES_ABOVE_DEFAULT))
  setTime(session, NOW)
  const server = await startModelServer(t, script)
  return {
    home,
    session,
    server,
    env: { OPENAI_BASE_URL: server.url },
    state: stateFolderOf({ env: {}, home, folder: home }),
  }
}

type Home = Awaited<ReturnType<typeof openHome>>

const setTime = (path: string, ms: number): void => {
  utimesSync(path, ms / 1000, ms / 1000)
}

/** A watch whose clock the test moves. */
async function watchIn(t: Test, { home, env }: Home, values: Record<string, string | boolean> = MODEL) {
  const clock = { ms: NOW }
  let ended = 0
  const cli = { env, home, folder: home, command: 'precis', given: {} } as unknown as Cli
  const watch: Watch = await openWatch({
    ...{ values, names: [], cli, signal: new AbortController().signal },
    now: () => clock.ms,
    onEnded: () => (ended += 1),
  })
  t.teardown(() => watch.close())
  const look = async () => {
    const { rows, notes } = await watch.tick()
    return { prepared: rows.map(({ name, prepared }) => `${name}: ${prepared}`), notes }
  }
  return { watch, clock, look, ended: () => ended }
}

t.test('a session above the threshold for preparing is prepared once, and compact uses the summary', async (t) => {
  const opened = await openHome(t)
  const { watch, clock, look, ended } = await watchIn(t, opened)
  // The command has the time of day, and summaries are kept for a week.
  clock.ms = Date.now()
  setTime(opened.session, clock.ms)
  t.strictSame(await look(), { prepared: ['s1: writing'], notes: [] })
  await until(() => ended() === 1)
  t.strictSame(await look(), { prepared: ['s1: ready'], notes: [] })
  t.strictSame(await look(), { prepared: ['s1: ready'], notes: [] })
  t.equal(opened.server.requests.length, 1)
  await watch.close()
  await opened.server.close()
  const { code, stderr } = await runCli(['compact', 's1', ...ARGS, '--model', 'm', '--write'], opened)
  t.match([code, stderr], [0, /Written by m, prepared [^:]+: no model was called now/])
})

t.test('a session below the threshold is not prepared, and one that has grown is', async (t) => {
  const opened = await openHome(t)
  writeFileSync(
    opened.session,
    largeSession('claude-code', SENTENCES_ABOVE_DEFAULT)
      .slice(0, 2000)
      .replace(/[^\n]*$/, ''),
  )
  setTime(opened.session, NOW)
  const { clock, look, ended } = await watchIn(t, opened)
  t.strictSame(await look(), { prepared: ['s1: too-small'], notes: [] })
  writeFileSync(opened.session, largeSession('claude-code', SENTENCES_ABOVE_DEFAULT))
  clock.ms += 5000
  setTime(opened.session, clock.ms)
  t.strictSame(
    await look(),
    { prepared: ['s1: too-small'], notes: [] },
    'a session that grows is not read at each look',
  )
  clock.ms += 5000
  t.strictSame(await look(), { prepared: ['s1: writing'], notes: [] })
  await until(() => ended() === 1)
})

t.test('a session that is far from its threshold is not prepared yet', async (t) => {
  const opened = await openHome(t)
  const { look } = await watchIn(t, opened, { ...MODEL, window: '200000' })
  t.strictSame(await look(), { prepared: ['s1: not-yet'], notes: [] })
  t.equal(opened.server.requests.length, 0)
  setTime(opened.session, Date.now())
  const once = async (...args: string[]) =>
    (await runCli(['watch', '--once', '--model', 'm', '--keep', '100', ...args], opened)).stdout
  t.match(await once('--window', '200000'), / not yet /)
  t.match(await once('--window', '60000'), / no  /, 'it could be prepared')
})

t.test('without a model, nothing is prepared, and nothing is kept', async (t) => {
  const opened = await openHome(t)
  const { look } = await watchIn(t, opened, VALUES)
  t.strictSame(await look(), { prepared: ['s1: no-model'], notes: [] })
  t.notOk(existsSync(opened.state))
})

t.test('a session that has not changed for some time is not running any more', async (t) => {
  const opened = await openHome(t)
  const { clock, look } = await watchIn(t, opened, { ...VALUES, active: '5' })
  t.strictSame((await look()).prepared, ['s1: no-model'])
  clock.ms += 300_001
  t.strictSame((await look()).prepared, [])
  appendFileSync(opened.session, '\n')
  setTime(opened.session, clock.ms)
  t.strictSame((await look()).prepared, ['s1: no-model'])
  rmSync(opened.session)
  t.strictSame(await look(), { prepared: [], notes: [] })
})

t.test('a failed preparation is shown, and tried again after a pause that grows', async (t) => {
  let isBroken = true
  const opened = await openHome(t, () => (isBroken ? { status: 400, body: '{"error":{"message":"no"}}' } : SUMMARY))
  const { clock, look, ended } = await watchIn(t, opened)
  await look()
  await until(() => ended() === 1)
  const { prepared, notes } = await look()
  t.strictSame(prepared, ['s1: failed'])
  t.match(notes, [/^s1: no summary could be prepared\. .+ It is tried again after 30 s\.$/])
  const { length: calls } = opened.server.requests
  clock.ms += 29_000
  await look()
  t.equal(opened.server.requests.length, calls, 'not before its time')
  clock.ms += 1000
  await look()
  await until(() => ended() === 2)
  t.match((await look()).notes, [/after 60 s|after 1 min/])
  isBroken = false
  clock.ms += 60_000
  await look()
  await until(() => ended() === 3)
  t.strictSame(await look(), { prepared: ['s1: ready'], notes: [] })
})

t.test('no summary is prepared beyond the calls of a day, over processes, and the next day it is', async (t) => {
  const opened = await openHome(t)
  const first = await watchIn(t, opened, { ...MODEL, 'calls-per-day': '1' })
  await first.look()
  await until(() => first.ended() === 1)
  await first.watch.close()
  const none = await watchIn(t, opened, { ...MODEL, focus: 'something else', 'calls-per-day': '0' })
  t.strictSame(await none.look(), {
    prepared: ['s1: limit'],
    notes: ['No summary is prepared: --calls-per-day is 0.'],
  })
  await none.watch.close()
  const { clock, look, ended } = await watchIn(t, opened, { ...MODEL, focus: 'something else', 'calls-per-day': '1' })
  t.strictSame(await look(), {
    prepared: ['s1: limit'],
    notes: ['Model calls of today: 1 of 1 (--calls-per-day). No summary is prepared that needs more.'],
  })
  clock.ms += 86_400_000
  setTime(opened.session, clock.ms)
  await look()
  await until(() => ended() === 1)
  t.equal(opened.server.requests.length, 2)
})

t.test('one watch prepares the summaries of a folder; the claim of a dead one ends', async (t) => {
  const opened = await openHome(t)
  const { watch } = await watchIn(t, opened)
  const claim = join(opened.state, 'watcher')
  t.equal(statSync(claim).mode & 0o777, 0o600)
  t.equal(statSync(opened.state).mode & 0o777, 0o700)
  await watch.close()
  t.notOk(existsSync(claim))
  const claimOf = (pid: number, at: number, host = hostname()): void => {
    writeFileSync(claim, JSON.stringify({ token: 'x', pid, host, at }), { mode: 0o600 })
  }
  claimOf(process.ppid, NOW)
  await t.rejects(watchIn(t, opened), {
    code: 5,
    message: `Another \`precis watch\` (process ${process.ppid}) prepares the summaries in ${opened.state}. End it, or leave out --model and --with: then this one shows the sessions, and prepares none.`,
  })
  claimOf(process.ppid, NOW - 60_000)
  await (await watchIn(t, opened)).watch.close()
  const { pid } = spawnSync(process.execPath, ['--version'])
  claimOf(pid, NOW)
  await (await watchIn(t, opened)).watch.close()
  claimOf(pid, NOW, 'another-machine')
  await t.rejects(watchIn(t, opened), {
    code: 5,
    message: `Another \`precis watch\` (process ${pid} on another-machine) prepares the summaries in ${opened.state}.`,
  })
})

t.test('near its threshold, and above it, a session has a notice with the command to run', async (t) => {
  const opened = await openHome(t)
  const noticesIn = async (values: Record<string, string>) =>
    (await (await watchIn(t, opened, { ...VALUES, focus: "the parser's tests", ...values })).look()).notes
  const run = "end the agent, and run: precis compact s1 --write --keep 100 --focus 'the parser'\\''s tests' --window"
  t.strictSame(await noticesIn({ window: '60000' }), [])
  t.strictSame(await noticesIn({ window: '52000' }), [
    `s1 is near its threshold. Before its agent compacts it, ${run} 52000`,
  ])
  t.strictSame(await noticesIn({ window: '20000' }), [
    `s1 is above its threshold. Before its agent compacts it, ${run} 20000`,
  ])
})

t.test('a notice names no command that would be refused', async (t) => {
  const opened = await openHome(t)
  const usage = { input_tokens: 59_000, output_tokens: 10 }
  const lines = [
    { type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'Fix the parser.' } },
    { type: 'assistant', uuid: 'a', parentUuid: 'u', message: { role: 'assistant', content: 'It is fixed.', usage } },
  ]
  const text = lines
    .map((line) => `${JSON.stringify({ ...line, sessionId: 's1', isSidechain: false, cwd: '/p' })}\n`)
    .join('')
  writeFileSync(opened.session, text)
  setTime(opened.session, NOW)
  const { look } = await watchIn(t, opened)
  t.strictSame(await look(), {
    prepared: ['s1: too-small'],
    notes: [
      's1 is above its threshold. There is nothing to compact yet: of its 8 tokens in messages, 8 stay (--keep). ' +
        'The provider counts about 59,002 more (system prompt, tools, and its own way of counting), which stay too.',
    ],
  })
  const { stderr, code } = await runCli(['compact', 's1', ...ARGS, '--write'], opened)
  t.match([code, stderr], [3, /there is nothing to compact yet/])
})

t.test('of an agent whose compactions are beside its sessions, a notice promises no writing', async (t) => {
  const opened = await openHome(t)
  rmSync(opened.session)
  const session = join(opened.home, '.cline/data/sessions/c1/c1.messages.json')
  mkdirSync(join(opened.home, '.cline/data/sessions/c1'), { recursive: true })
  writeFileSync(session, largeSession('cline', SENTENCES_ABOVE_DEFAULT))
  setTime(session, NOW)
  const { look } = await watchIn(t, opened, { ...VALUES, window: '20000' })
  t.strictSame((await look()).notes, [
    'c1 is above its threshold. Its agent will soon compact it: `--write` cannot write into the sessions of this agent.',
  ])
})

/** The agents that can be named: all into which Précis can be installed, by the same words. */
const KNOWN = 'qwen, claude-code, codex, opencode, gemini, aider, cline, cline-in-vs-code, roo, kilo, pi, oh-my-pi'

t.test('--once prints the table, and what cannot be read', async (t) => {
  const opened = await openHome(t)
  setTime(opened.session, Date.now())
  mkdirSync(join(opened.home, '.codex/sessions/2026/11/20'), { recursive: true })
  writeFileSync(join(opened.home, '.codex/sessions/2026/11/20/rollout-2026-11-20T12-00-00-0199.jsonl'), '{}\n')
  const { code, stdout } = await runCli(['watch', '--once', ...ARGS], opened)
  t.equal(code, 0)
  const [head = '', ...rows] = stdout.split('\n')
  t.match(head, /^ID +AGENT +TOKENS +WINDOW +THRESHOLD +PREPARED +CHANGED +FOLDER$/)
  t.match(
    rows.find((row) => row.startsWith('s1')),
    /^s1 +Claude Code +\d\d,\d{3} +\d\d % +\d\d,\d{3} +no model +now +\S+$/,
  )
  const { stdout: json } = await runCli(['watch', 'claude-code', '--once', '--json', ...ARGS], opened)
  t.match(JSON.parse(json), [
    { agent: 'Claude Code', id: 's1', path: opened.session, contextWindow: 60_000, prepared: 'no-model' },
  ])
  t.equal((JSON.parse(json) as object[]).length, 1)
  for (const word of ['codexx', 'qwen-code'])
    t.strictSame(await runCli(['watch', word, '--once'], opened), {
      code: 2,
      stdout: '',
      stderr: `precis: There is no agent and no folder "${word}". Known are ${KNOWN}.\n`,
    })
})

t.test('where stdout is no terminal, a line is written for what has changed; a terminal is redrawn', async (t) => {
  const opened = await openHome(t)
  const { watch, clock } = await watchIn(t, opened, VALUES)
  const view = await watch.tick()
  for (const [isTTY, expected] of [
    [undefined, /^ID[^\n]+\ns1[^\n]+\n$/],
    // The line is written over once, for the time that has passed.

    [true, /^\u001b\[1mID[^\n]+\ns1[^\n]+\n\u001b\[2A\r\u001b\[J\u001b\[1mID[^\n]+\ns1[^\n]+\n$/],
  ] as const) {
    let written = ''
    const write = (text: string, done?: () => void): boolean => {
      written += text
      done?.()
      return true
    }
    const stdout = { isTTY, columns: 200, rows: 20, write, once: () => undefined, off: () => undefined }
    const terminal = openTerminal({ stdout, stderr: { ...stdout, write: () => true } } as never, {})
    const display = new Display({ terminal, home: opened.home, isJson: false, hasBell: false, now: () => clock.ms })
    await display.show(view)
    await display.show(view)
    clock.ms += 300_000
    await display.show(view)
    t.match(written, expected)
  }
})

t.test('options without effect are refused, and --forget removes what was prepared', async (t) => {
  const opened = await openHome(t)
  const run = (...args: string[]) => runCli(['watch', ...args], opened)
  for (const [args, message] of [
    [['--forget', '--json'], '--forget removes all prepared summaries: leave out --json.'],
    [['--forget', 'codex'], '--forget removes all prepared summaries: leave out codex.'],
    [['--once', '--bell'], '--once and --bell exclude each other.'],
    [['--calls-per-day', '5'], '--calls-per-day needs --model or --with: without them, no model is called.'],
  ] as const)
    t.strictSame(await run(...args), { code: 2, stdout: '', stderr: `precis: ${message}\n` })
  t.strictSame(await run('--forget'), { code: 0, stdout: '', stderr: 'There are no prepared summaries.\n' })
  const { watch, look, ended } = await watchIn(t, opened)
  await look()
  await until(() => ended() === 1)
  await watch.close()
  const claim = { token: 'x', pid: process.ppid, host: hostname(), at: Date.now() }
  writeFileSync(join(opened.state, 'watcher'), JSON.stringify(claim), { mode: 0o600 })
  t.match(await run('--forget'), { code: 5, stderr: /End it first: it would write them again/ })
  rmSync(join(opened.state, 'watcher'))
  t.match(await run('--forget'), { code: 0, stderr: /^1 prepared summary removed from / })
  t.strictSame(
    readdirSync(opened.state).filter((name) => name.includes('summar')),
    [],
  )
})

t.test('a signal ends a watch at once, also while a summary is written', async (t) => {
  let isAsked = false
  const opened = await openHome(t, () => ({ hang: 'before', onHang: () => (isAsked = true) }))
  setTime(opened.session, Date.now())
  const child = startCli(['watch', '--model', 'm', ...ARGS], opened)
  await until(() => isAsked)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'close')) as [number | null]
  t.equal(code, 0)
  t.notOk(existsSync(join(opened.state, 'watcher')))
})
