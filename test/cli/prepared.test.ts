import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSecret, createStateFolder, stateFolderOf } from '../../src/cli/prepared/state-folder.ts'
import { KEEP_MS, SummaryFolder } from '../../src/cli/prepared/summary-folder.ts'
import { openService } from '../../src/cli/service.ts'
import type { PreparedSummary } from '../../src/jobs/background-summaries.ts'
import { startModelServer } from '../support/model-server.ts'
import { writeSummary } from '../support/preparing.ts'
import { until } from '../support/until.ts'
import { largeSession, runCli, writeOld } from './run-cli.ts'
import { folderOf } from '../support/temp-folder.ts'

const SUMMARY = writeSummary('The parser, by a model.')
const QUERY = { keepRecentTokens: 100, contextWindow: 200_000 }
const KEEP = ['--keep', '100']
const MODEL = ['--model', 'm']
const KEY = 'k'.repeat(43)

/** Opens a home with a session, and a model server. */
async function openHome(t: Test) {
  const home = folderOf(t)
  const session = writeOld(join(home, '.claude/projects/-p/s1.jsonl'), largeSession('claude-code'))
  const server = await startModelServer(t, () => SUMMARY)
  const env = { OPENAI_BASE_URL: server.url }
  const state = stateFolderOf({ env: {}, home, folder: home })
  return { home, session, server, env, state }
}

type Home = Awaited<ReturnType<typeof openHome>>

/** Prepares the summary of the session, as `precis watch` does. */
async function prepare({ session, env, state }: Home, query: object = QUERY): Promise<PreparedSummary[]> {
  createStateFolder(state)
  const secret = createSecret(state)
  const shared = { place: new SummaryFolder({ path: state, secret }), secret }
  const ended: PreparedSummary[] = []
  const onPrepared = (summary: PreparedSummary) => void ended.push(summary)
  const local = { keeping: { shared, keepMs: KEEP_MS, restMs: 0, onPrepared } }
  const service = await openService({ model: 'm', env, local })
  await service.client.prepare(readFileSync(session), { query: { ...query } })
  await until(() => ended.length > 0)
  await service.close()
  return ended
}

t.test('compact uses a prepared summary with the model server gone, and says how old it is', async (t) => {
  const opened = await openHome(t)
  t.match(await prepare(opened), [{ outcome: 'ready' }])
  await opened.server.close()
  const { code, stdout, stderr } = await runCli(['compact', 's1', ...KEEP, ...MODEL, '--write'], opened)
  t.same([code, stdout], [0, ''])
  t.match(stderr, /Written by m, prepared less than a minute ago: no model was called now \(\d\.\d s\)\.\n/)
  t.match(readFileSync(opened.session, 'utf8'), /The parser, by a model\./)
  t.equal(opened.server.requests.length, 1)
})

t.test('`--prepared never` asks the model, and `only` asks nobody: without a summary it is exit code 3', async (t) => {
  const opened = await openHome(t)
  const compact = (...args: string[]) => runCli(['compact', 's1', ...KEEP, ...args], opened)
  t.same(await compact('--prepared', 'only'), {
    code: 2,
    stdout: '',
    stderr: 'precis: --prepared needs --model, --with or --url: without a model, no summary is prepared.\n',
  })
  t.same(await compact(...MODEL, '--prepared', 'only'), {
    code: 3,
    stdout: '',
    stderr:
      'precis: No summary is prepared that this compaction can use at once. It belongs to its model, and keeps what ' +
      '--keep said: name the --model or --with, --budget, --focus and --keep of `precis watch`. Without `--prepared only`, a model is ' +
      'asked now.\n',
  })
  await prepare(opened)
  t.equal(opened.server.requests.length, 1)
  t.match(await compact(...MODEL, '--prepared', 'never'), { code: 0, stderr: /Written by m in \d/ })
  t.equal(opened.server.requests.length, 2)
  t.match(await compact(...MODEL, '--prepared', 'only'), { code: 0, stderr: /prepared less than a minute ago/ })
  t.equal(opened.server.requests.length, 2)
})

t.test('a summary of another focus, budget or model is not used', async (t) => {
  const opened = await openHome(t)
  await prepare(opened, { ...QUERY, customInstructions: 'tests' })
  for (const args of [
    MODEL,
    ['--model', 'other', '--focus', 'tests'],
    [...MODEL, '--focus', 'tests', '--budget', '9000'],
  ])
    t.match(await runCli(['compact', 's1', ...KEEP, ...args], opened), { code: 0, stderr: /Written by \w+ in \d/ })
  t.equal(opened.server.requests.length, 4)
  const { stderr } = await runCli(['compact', 's1', ...KEEP, ...MODEL, '--focus', 'tests'], opened)
  t.match(stderr, /prepared less than a minute ago/)
})

t.test('summaries are kept for a week, for their user alone, and those that were altered are not used', async (t) => {
  const opened = await openHome(t)
  const { state } = opened
  await prepare(opened)
  const folder = join(state, 'summaries')
  const [name = '', ...others] = readdirSync(folder)
  t.same(others, [])
  const path = join(folder, name)
  const modes = [state, folder, path, join(state, 'key')].map((one) => (statSync(one).mode & 0o777).toString(8))
  t.same(modes, ['700', '700', '600', '600'])
  const [expires = '', value = ''] = readFileSync(path, 'utf8').split(/\n([^]*)/)
  t.ok(Math.abs(Number(expires) - Date.now() - 7 * 86_400_000) < 3_600_000)
  const compact = () => runCli(['compact', 's1', ...KEEP, ...MODEL, '--prepared', 'only'], opened)
  for (const text of [
    `${expires}\n${value.replace('The parser', 'The hacker')}`,
    `1\n${value}`,
    `${expires}\n`,
    '\u0000',
    `soon\n${value}`,
  ]) {
    writeFileSync(path, text)
    t.match(await compact(), { code: 3 })
  }
  writeFileSync(path, `${expires}\n${value}`)
  t.match(await compact(), { code: 0 })
  t.notMatch(value, 'It reads the lines', 'no entry of the session is in it')
  writeFileSync(join(state, 'key'), 'f'.repeat(64))
  t.match(await compact(), { code: 3 }, 'sealed with another secret')
})

t.test('a folder that others can write into is not trusted, and named', async (t) => {
  const opened = await openHome(t)
  await prepare(opened)
  chmodSync(opened.state, 0o777)
  const { code, stderr } = await runCli(['compact', 's1', ...KEEP, ...MODEL], opened)
  t.equal(code, 0)
  t.match(stderr, `No prepared summary is used: ${opened.state} is no folder that only you can write into. Make it one`)
  t.match(stderr, /Written by m in/)
})

t.test('the folder is in $XDG_STATE_HOME, if that is absolute', async (t) => {
  const folder = (XDG_STATE_HOME: string) => stateFolderOf({ env: { XDG_STATE_HOME }, home: '/home/u', folder: '/' })
  t.equal(folder('/state'), '/state/precis')
  for (const other of ['', 'state']) t.equal(folder(other), '/home/u/.local/state/precis')
})

/** Opens a folder of summaries at a time that the test moves. */
function openFolder(t: Test) {
  const path = join(folderOf(t), 'precis')
  const time = { now: 1000 }
  const open = () => new SummaryFolder({ path, secret: 'a'.repeat(64), now: () => time.now })
  return { path, time, open, folder: open() }
}

t.test('a claim counts for other processes, until it ends or is released', async (t) => {
  const { time, open, folder } = openFolder(t)
  t.same([await folder.claim(KEY, 'pending', 100), await open().claim(KEY, 'pending', 100)], [true, false])
  time.now += 90
  await folder.extend(KEY, 100)
  time.now += 90
  t.same(await open().read([KEY]), ['pending'])
  time.now += 20
  t.same([await open().read([KEY]), await open().claim(KEY, 'other', 100)], [[null], true])
  await folder.remove(KEY)
  t.same([await folder.read([KEY]), await folder.keysOf('', 10)], [[null], []])
})

t.test('a value is replaced only if it is still the one that was read', async (t) => {
  const { open, folder } = openFolder(t)
  await folder.write(KEY, 'unreadable', 1000)
  t.same(
    [await open().replace(KEY, 'another', { value: 'mine', ttlMs: 1000 }), await open().read([KEY])],
    [false, ['unreadable']],
  )
  t.same(
    [await open().replace(KEY, 'unreadable', { value: 'mine', ttlMs: 1000 }), await folder.claim(KEY, 'other', 1000)],
    [true, false],
  )
})

t.test('what is too old, and what a killed process has left, is removed; other files stay', async (t) => {
  const { path, time, folder } = openFolder(t)
  await folder.write(KEY, 'old', 100)
  await folder.write(KEY.replace('k', 'n'), 'new', 1000)
  const left = `.${KEY}.precis-draft-${process.pid}-0123456789ab`
  for (const name of [left, 'README']) writeFileSync(join(path, 'summaries', name), '')
  writeFileSync(join(path, left), '')
  time.now += 200
  folder.tidy()
  t.same(readdirSync(join(path, 'summaries')).sort(), ['README', KEY.replace('k', 'n')])
  t.same(readdirSync(path).sort(), ['key', 'summaries'])
  t.equal(folder.forget(), 1)
  t.same(readdirSync(path), ['key'])
})

t.test('what could not be written is written later, also into a folder that has vanished', async (t) => {
  const { path, folder, open } = openFolder(t)
  writeFileSync(path, 'in the way')
  await t.rejects(folder.write(KEY, 'value', 1000))
  t.throws(() => {
    folder.save()
  })
  t.equal(folder.unsaved(), 1)
  rmSync(path)
  folder.save()
  t.same([folder.unsaved(), await open().read([KEY])], [0, ['value']])
  rmSync(path, { recursive: true })
  await folder.write(KEY, 'again', 1000)
  t.same(await open().read([KEY]), ['again'])
  t.equal(readFileSync(join(path, 'key'), 'utf8'), `${'a'.repeat(64)}\n`)
  mkdirSync(join(path, 'summaries', 'k'.repeat(42) + 'x'))
  t.same(await open().read(['k'.repeat(42) + 'x', '../key']), [null, null])
})
