import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { largeSession } from './cli/run-cli.ts'
import { fakeSummarizer } from './support/fake-summarizer.ts'
import { tryIn } from './support/run-in-folder.ts'
import { writeSummary } from './support/preparing.ts'
import { listenApp } from './support/start-app.ts'
import { until } from './support/until.ts'
import { folderOf } from './support/temp-folder.ts'

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url))
const read = (file: string): string => readFileSync(EXAMPLES + file, 'utf8')

const SUMMARY = '## Goal\nFix the parser.'
const listen = (t: Test) => listenApp(t, { summarizer: fakeSummarizer(() => SUMMARY) })

t.test('each example says what it does, its setting and how to run it in its first comment', async (t) => {
  const files = ['agents', 'clients'].flatMap((folder) =>
    readdirSync(EXAMPLES + folder).map((file) => `${folder}/${file}`),
  )
  const others = ['conversation.ts', 'compact-messages.ts']
  const examples = files.filter(
    (file) => !/\.json$|node_modules/.test(file) && others.every((other) => !file.endsWith(other)),
  )
  t.ok(examples.length > 15)
  for (const file of examples) {
    const lines = read(file)
      .split('\n')
      .filter((line) => !line.startsWith('#!'))
    const comment = lines.slice(0, 3).join('\n')
    t.match(comment, /^(?:\/\/|#) .*\n(?:\/\/|#) The setting: .*\n(?:\/\/|#) .*To run it: /, file)
  }
})

t.test('the configurations are valid, and name addresses of the service', async (t) => {
  const ohMyPi = parse(read('agents/oh-my-pi.yml'))
  t.equal(ohMyPi.compaction.remoteEndpoint, 'http://127.0.0.1:8080/compaction')
  const opencode = parse(read('agents/opencode.jsonc').replace(/^\/\/.*$/gm, ''))
  t.equal(opencode.provider.precis.options.baseURL, 'http://127.0.0.1:8080/v1')
  t.equal(opencode.agent.compaction.model, 'precis/precis')
  const liteLlm = parse(read('agents/litellm.yaml'))
  t.equal(liteLlm.model_list[0].model_name, liteLlm.general_settings.context_management_summary_model)
  t.equal(liteLlm.guardrails[0].litellm_params.guardrail, 'headroom')
  t.equal(parse(read('agents/kong.yaml')).plugins[0].config.compressor_url, 'http://127.0.0.1:8080/v1/compress')
})

t.test('the demo ends with the figures that README has of the same session', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', `${EXAMPLES}demo.ts`])
  const [, older, summary, newest] =
    /([\d,]+) older tokens became a summary of ([\d,]+); the newest ([\d,]+) stay/.exec(stdout) ?? []
  t.match(read('../README.md'), `${older} older tokens became a summary of ${summary}, and the newest ${newest} stayed`)
  t.match(stdout.trimEnd().split('\n').slice(-12).join('\n'), /^Session .*^Cut .*^Saved .*^Written by/ms)
})

type Handler = (event: object, context: object) => Promise<unknown>

/** Loads the extension as pi does. @returns its handlers, and what it has shown to the user */
async function loadExtension(url: string, branch: readonly object[] = ENTRIES, usage?: object) {
  process.env['COMPACTION_URL'] = url
  const { default: extend } = await import(new URL(`../examples/agents/pi-extension.ts?${url}`, import.meta.url).href)
  const handlers = new Map<string, Handler>()
  extend({ on: (name: string, handler: Handler) => handlers.set(name, handler) })
  const shown: string[] = []
  const context = {
    ui: { notify: (text: string) => void shown.push(text) },
    sessionManager: { getEntries: () => ENTRIES, getBranch: () => branch },
    getContextUsage: () => usage,
  }
  const call = (name: string, event: object) =>
    handlers.get(name)?.({ ...event, signal: new AbortController().signal }, context)
  return { call, shown }
}

const messageOf = (role: string, text: string) =>
  role === 'user' ? { role, content: text } : { role, content: [{ type: 'text', text }] }
const entry = (id: string, parentId: string | null, role: string, text: string) => ({
  ...{ type: 'message', id, parentId, timestamp: '2026-11-01T10:00:00.000Z' },
  message: messageOf(role, text),
})
const ENTRIES = [
  entry('a', null, 'user', 'Fix the parser. '.repeat(100)),
  entry('b', 'a', 'assistant', 'It is fixed.'),
  entry('c', 'b', 'user', 'Now the lexer.'),
]
const COMPACTION = {
  branchEntries: ENTRIES,
  preparation: { settings: { keepRecentTokens: 4, reserveTokens: 16_384 } },
}

t.test('the extension of pi returns the compaction and the summary of a branch', async (t) => {
  const { url } = await listen(t)
  const { call, shown } = await loadExtension(url)
  const result = (await call('session_before_compact', COMPACTION)) as { compaction: Record<string, unknown> }
  t.match(result.compaction['summary'], /^## Goal\nFix the parser\./)
  t.equal(result.compaction['firstKeptEntryId'], 'c')
  t.type(result.compaction['tokensBefore'], 'number')
  t.same(result.compaction['details'], { readFiles: [], modifiedFiles: [] })
  const preparation = { userWantsSummary: true, oldLeafId: 'c', targetId: 'a' }
  t.match(await call('session_before_tree', { preparation }), { summary: { summary: /Fix the parser\./ } })
  t.equal(await call('session_before_tree', { preparation: { ...preparation, userWantsSummary: false } }), undefined)
  t.same(shown, [])
})

t.test('the extension of pi has the next summary prepared after a turn, and its compaction uses it', async (t) => {
  const summarizer = fakeSummarizer(() => writeSummary('Fix the parser.'))
  const { app, url, log } = await listenApp(t, { summarizer })
  const turn = (index: number) => [
    entry(`u${index}`, index === 0 ? null : `a${index - 1}`, 'user', `Request ${index}.`),
    entry(`a${index}`, `u${index}`, 'assistant', `Done with ${index}. ${'some word '.repeat(2500)}`),
  ]
  const branch = Array.from({ length: 8 }, (_, index) => turn(index)).flat()
  const usage = { tokens: 40_000, contextWindow: 60_000, percent: 67 }
  const small = await loadExtension(url, branch, { ...usage, tokens: 20_000 })
  await small.call('turn_end', {})
  const { call, shown } = await loadExtension(`${url}/`, branch, usage)
  await call('turn_end', {})
  await until(() => log().includes('"outcome":"ready"'))
  const { length: calls } = summarizer.tasks
  const settings = { keepRecentTokens: 20_000, reserveTokens: 16_384 }
  const event = { branchEntries: [...branch, ...turn(8)], preparation: { settings } }
  t.match(await call('session_before_compact', event), { compaction: { summary: /Fix the parser/ } })
  t.equal(summarizer.tasks.length, calls, 'no model is called')
  t.match((await app.inject('/metrics')).body, /precis_prepared_uses_total\{use="whole"\} 1/)
  t.same(shown, [])
})

t.test('the extension of pi prepares a summary also where a plan says `compact`, as pi compacts later', async (t) => {
  const { url, log } = await listenApp(t, { summarizer: fakeSummarizer(() => writeSummary('Fix the parser.')) })
  const branch = [
    entry('u', null, 'user', `Request. ${'some word '.repeat(20_000)}`),
    entry('a', 'u', 'assistant', 'Done.'),
    entry('v', 'a', 'user', `And now this. ${'some word '.repeat(20_000)}`),
    entry('b', 'v', 'assistant', 'Done too.'),
  ]
  const { call } = await loadExtension(url, branch, { tokens: 58_000, contextWindow: 60_000, percent: 97 })
  await call('turn_end', {})
  await t.resolves(until(() => log().includes('"outcome":"ready"')))
})

t.test('without the service, the extension leaves the summary to pi and says why', async (t) => {
  const { call, shown } = await loadExtension('http://127.0.0.1:1')
  t.equal(await call('session_before_compact', COMPACTION), undefined)
  t.match(shown, [/^Précis cannot be reached: /])
})

/** Writes a session into a new folder. Returns the function that runs the script for curl with it, and what reads the folder. */
function openWriteBack(t: Test, name: string, content: string) {
  const folder = folderOf(t)
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o640 })
  return {
    run: (env: Record<string, string>) => tryIn(EXAMPLES, ['sh', 'agents/write-back.sh', file], { env }),
    written: () => readFileSync(file, 'utf8'),
    mode: () => statSync(file).mode & 0o777,
    files: () => readdirSync(folder),
    backup: () => readFileSync(`${file}.before`, 'utf8'),
  }
}

t.test('the script for curl', async (t) => {
  if ((await tryIn(EXAMPLES, ['sh', '-c', 'command -v curl'])).code !== 0) return t.pass('curl is not installed')
  const { url } = await listen(t)

  await t.test('appends the compaction to the session file, and an error changes nothing', async (t) => {
    const before = read('session.jsonl')
    const session = openWriteBack(t, 'session.jsonl', before)
    t.not((await session.run({ COMPACTION_URL: 'http://127.0.0.1:1' })).code, 0)
    t.same([session.written(), session.files()], [before, ['session.jsonl']])
    t.same((await session.run({ COMPACTION_URL: url })).code, 0)
    t.ok(session.written().startsWith(before))
    const added = session.written().slice(before.length)
    t.match(JSON.parse(added), { type: 'compaction', firstKeptEntryId: '65982522' })
    t.same([session.files(), session.backup()], [['session.jsonl', 'session.jsonl.before'], before])
  })

  await t.test('replaces a session that is one JSON document, and keeps its mode', async (t) => {
    const session = openWriteBack(t, 'export.json', largeSession('opencode'))
    t.same((await session.run({ COMPACTION_URL: url, KEEP: '50' })).code, 0)
    t.match(JSON.parse(session.written()), { info: { id: 'ses_1' }, messages: Array })
    t.equal(session.mode(), 0o640)
    t.same([session.files(), session.backup()], [['export.json', 'export.json.before'], largeSession('opencode')])
  })

  await t.test('refuses a compaction that belongs into another file', async (t) => {
    const session = openWriteBack(t, 'task.messages.json', largeSession('cline'))
    const { code, stderr } = await session.run({ COMPACTION_URL: url, KEEP: '1' })
    t.equal(code, 1)
    t.match(stderr, /cannot be written into .*: X-Precis-Native is "sidecar", and this script knows append and replace/)
    t.same([session.written(), session.files()], [largeSession('cline'), ['task.messages.json']])
  })
})
