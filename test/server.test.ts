import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { compiled } from './support/compile-source.ts'
import { startModelServer } from './support/model-server.ts'
import { listening, ROOT, runServer as run } from './support/run-server.ts'
import { until } from './support/until.ts'
import { folderOf } from './support/temp-folder.ts'

/** Tells whether the service takes no new connections any more: it drains. */
const isDraining = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
    async (response) => ((await response.json()) as { status: string }).status === 'draining',
    () => true,
  )

/** Posts until it is answered with something else than that the service, on a busy machine, is too busy. */
async function post(url: string, body: unknown): Promise<Response> {
  for (;;) {
    const response = await fetch(`${url}/compaction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 503) return response
    await delay(100)
  }
}

t.test('SIGTERM: what is under way is finished, then the process ends with 0', async (t) => {
  let answer = (): void => undefined
  const after = new Promise<void>((resolve) => {
    answer = resolve
  })
  const server = await startModelServer(t, () => ({ text: 'A summary.', after }))
  const { child, output, exited } = run(t, { PORT: '0', OPENAI_BASE_URL: server.url })
  const url = await listening(output)
  const pending = post(url, { prompt: 'p' })
  await until(() => server.requests.length > 0)
  child.kill('SIGTERM')
  await until(() => isDraining(url))
  answer()
  const response = await pending
  t.equal(response.status, 200)
  t.match(await response.json(), { summary: 'A summary.', report: { model: 'gpt-5-mini', calls: 1 } })
  t.equal(await exited, 0)
  const lines = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const draining = { level: 30, signal: 'SIGTERM', running: 1, msg: 'draining, 1 request under way' }
  t.match(
    lines.filter(({ msg }) => /^draining,|^stopped$/.test(msg)),
    [draining, { level: 30, msg: 'stopped' }],
  )
})

t.test(
  'a second signal ends the process at once, and the log says so with the number of running requests',
  async (t) => {
    const server = await startModelServer(t, () => ({ text: 'A summary.', after: new Promise<void>(() => undefined) }))
    const { child, output, exited } = run(t, { PORT: '0', OPENAI_BASE_URL: server.url })
    void post(await listening(output), { prompt: 'p' }).catch(() => undefined)
    await until(() => server.requests.length > 0)
    child.kill('SIGTERM')
    await until(() => output().includes('draining'))
    child.kill('SIGTERM')
    t.equal(await exited, 1)
    t.match(JSON.parse(output().trim().split('\n').at(-1) ?? ''), {
      ...{ level: 40, signal: 'SIGTERM', running: 1, msg: 'ended at once by a second signal' },
    })
  },
)

t.test('the first request that is not small starts a worker, which stays', async (t) => {
  const { output } = run(t, { PORT: '0' })
  const url = await listening(output)
  const countWorkers = async () => /^precis_workers .*$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[0]
  const counts = [await countWorkers()]
  for (const words of [1, 2000]) {
    await (await post(url, { messages: [{ role: 'user', content: 'word '.repeat(words) }] })).text()
    counts.push(await countWorkers())
  }
  t.same(counts, ['precis_workers 0', 'precis_workers 0', 'precis_workers 1'])
})

t.test('SIGTERM ends the process also if nobody reads its log any more', async (t) => {
  const { child, output, exited } = run(t, { PORT: '0' })
  await until(() => output().includes('"ready"'))
  child.stdout.destroy()
  child.kill('SIGTERM')
  t.equal(await exited, 0)
})

t.test('SIGTERM: connections that never finish a request or never read a reply do not keep the process', async (t) => {
  const { child, output, exited } = run(t, { PORT: '0', PRECIS_DEADLINE_MS: '3000' })
  const { port } = new URL(await listening(output))
  const large = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(20_000_000) }] })
  const post = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const sent = ['', 'POST /compaction HTTP/1.1\r\nHost: loc', `${post('/compaction', 100)}{"pro`]
  for (const text of [...sent, `${post('/context', large.length)}${large}`]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
  }
  child.kill('SIGTERM')
  t.equal(await exited, 0)
})

t.test(
  'the first log line names the address, the page of the documentation and the model server, but no secret',
  async (t) => {
    const OPENAI_BASE_URL = 'http://models.example:81/v1?key=hunter3'
    const { output } = run(t, {
      PORT: '0',
      HOST: 'localhost',
      OPENAI_BASE_URL,
      OPENAI_API_KEY: 'hunter4',
      PRECIS_TOKENS: 'hunter5',
    })
    await until(() => output().includes('"msg":"ready"'))
    const line = JSON.parse(/^.*"msg":"ready".*$/m.exec(output())?.[0] ?? '')
    t.match(line, {
      address: /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/,
      docs: `${line.address}/docs`,
      summarizer: 'openai',
      modelServer: 'models.example:81',
      candidates: [{ model: 'gpt-5-mini', contextWindow: 128_000 }],
      tokensRequired: true,
    })
    t.notMatch(output(), /hunter|user:/)
  },
)

t.test('a bad variable stops the start with one message and exit code 1', async (t) => {
  const { output, exited } = run(t, { PORT: 'x', LOG_LEVEL: 'y' })
  t.equal(await exited, 1)
  t.match(output(), /^precis: Invalid configuration:\nPORT must be .*\nLOG_LEVEL must be .*\n$/)
})

t.test("a fault of the operator's prompts or hooks stops the start with one message and exit code 1", async (t) => {
  const folder = t.testdir({ prompts: { 'sumary.md': 'x' }, 'hooks.js': 'export const rules = 1' })
  const prompts = run(t, { PORT: '0', PRECIS_PROMPTS: join(folder, 'prompts') })
  t.equal(await prompts.exited, 1)
  t.match(
    prompts.output(),
    /^precis: Invalid configuration:\nPRECIS_PROMPTS has bad prompts in .*:\nsumary\.md is no prompt/,
  )
  const hooks = run(t, { PORT: '0', PRECIS_HOOKS: join(folder, 'hooks.js') })
  t.equal(await hooks.exited, 1)
  t.match(
    hooks.output(),
    /^precis: Invalid configuration:\nPRECIS_HOOKS .*hooks\.js exports `rules`, which is no hook\. Known are .*\n$/,
  )
  const both = run(t, { PORT: '0', PRECIS_PROMPTS: '/nope', PRECIS_HOOKS: '/nope.js' })
  t.equal(await both.exited, 1)
  t.match(both.output(), /^precis: Invalid configuration:\nPRECIS_PROMPTS must be .*\nPRECIS_HOOKS .*\n$/)
})

t.test("the operator's hooks run beside the service, without its keys, and end with it", async (t) => {
  const source = 'export const beforeCompact = () => ({ summary: JSON.stringify([process.pid, process.env]) })'
  const file = join(t.testdir({ 'hooks.mjs': source }), 'hooks.mjs')
  const env = {
    PORT: '0',
    PRECIS_HOOKS: file,
    PRECIS_HOOK_MS: '100000',
    OPENAI_API_KEY: 'a-key-of-models',
    HOOK_TEAM: 'parsers',
  }
  const { child, output, exited } = run(t, env)
  const { summary } = (await (await post(await listening(output), { prompt: 'p' })).json()) as { summary: string }
  const [pid, variables] = JSON.parse(summary) as [number, Record<string, string>]
  t.match(variables, { HOOK_TEAM: 'parsers', PATH: String })
  t.notMatch(summary, /a-key-of-models|PRECIS_/)
  t.not(pid, child.pid)
  child.kill('SIGTERM')
  t.equal(await exited, 0)
  // An ended process that nobody has waited for has no command line any more.
  await until(() => !existsSync(`/proc/${pid}/cmdline`) || readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '')
})

t.test(
  'the service knows no arguments but --help: another one stops the start with a remedy and exit code 2',
  async (t) => {
    const refused = run(t, { PORT: '0' }, undefined, ['--port', '8081'])
    t.equal(await refused.exited, 2)
    t.equal(
      refused.output(),
      'precis: the service does not know the argument "--port": environment variables have its settings, such as PORT=8081. ' +
        'Try --help, or the command `precis serve`, which has options.\n',
    )
    const helped = run(t, { PORT: '0' }, undefined, ['--help'])
    t.equal(await helped.exited, 0)
    t.match(helped.output(), /^node dist\/server\.js .*HOST, PORT .*PRECIS_TOKENS .*precis serve --help\n$/s)
  },
)

t.test('a port that is not free is named, with the option only where there is one', async (t) => {
  const PORT = new URL(await listening(run(t, { PORT: '0' }).output)).port
  const server = run(t, { PORT })
  t.equal(await server.exited, 1)
  const fault = `precis: another program listens on port ${PORT} of 127.0.0.1: end it, or set PORT`
  t.equal(server.output(), `${fault}\n`)
  const command = run(t, { PORT }, compiled('src/cli/main.ts'), ['serve'])
  t.equal(await command.exited, 1)
  t.equal(command.output(), `${fault} (or --port)\n`)
})

t.test('a missing prompt stops the start', async (t) => {
  const root = folderOf(t)
  cpSync(dirname(compiled('src/server.ts')), join(root, 'src'), { recursive: true })
  for (const name of ['prompts', 'package.json']) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  rmSync(join(root, 'prompts/summary.md'))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const { output, exited } = run(t, { PORT: '0' }, join(root, 'src/server.js'))
  t.equal(await exited, 1)
  t.match(output(), /summary\.md is missing/)
})
