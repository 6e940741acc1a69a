import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { readSettings } from '../src/settings.ts'
import { hookEnvironment } from '../src/environment.ts'
import { HookRunner, type LoggedRun } from '../src/jobs/hook-runner.ts'
import { JobRunner } from '../src/jobs/job-runner.ts'
import { createSummarizer } from '../src/model/create-summarizer.ts'
import type { StartTimer } from '../src/runtime/abort.ts'
import { WorkerPool } from '../src/runtime/worker-pool.ts'
import { compiled } from './support/compile-source.ts'
import { fakeSummarizer } from './support/fake-summarizer.ts'
import { conversation } from './support/gateway.ts'
import { startModelServer } from './support/model-server.ts'
import { openHooks } from './support/open-hooks.ts'
import { startApp, templates, type StartOptions } from './support/start-app.ts'
import { until } from './support/until.ts'

const WORKER = pathToFileURL(compiled('src/worker.ts'))

const TEXT = 'Move the parser to the folder of the compiler.'
const MESSAGES = [
  { role: 'user', content: TEXT },
  { role: 'assistant', content: 'The parser has moved.' },
  { role: 'user', content: 'And now the lexer, please.' },
]
const SESSION = { messages: MESSAGES, settings: { keepRecentTokens: 1 } }

async function post(
  t: Test,
  options: StartOptions,
  { url = '/compaction', payload = SESSION }: { url?: string; payload?: object } = {},
) {
  const summarizer = fakeSummarizer()
  const { app, log } = await startApp(t, { summarizer, ...options })
  const response = await app.inject({ method: 'POST', url, payload })
  return { app, log, response, body: response.json(), tasks: summarizer.tasks }
}

const ran = (hook: string, outcome = 'ok') => ({ hook, outcome, ms: Number })

t.test(
  'a module with a fault stops the start, and the message names the variable, the file and the fault',
  async (t) => {
    const faults: [what: string, source: string, fault: RegExp][] = [
      ['a syntax error', 'export default {', /hooks\.mjs cannot be loaded: \w*Error: /],
      [
        'an error of its own',
        'throw new TypeError("no rules")',
        /hooks\.mjs cannot be loaded: TypeError: no rules \(hooks\.mjs:1\)$/,
      ],
      ['no export', 'const compacting = 1', /hooks\.mjs exports no hook\. Known are beforeCompact, compacting, /],
      [
        'an unknown name',
        'export function onCompact() {}',
        /hooks\.mjs exports `onCompact`, which is no hook\. Known are /,
      ],
      [
        'no function',
        'export default { compacting: {} }',
        /hooks\.mjs exports `compacting`, which is no function: object$/,
      ],
      ['another default', 'export default () => {}', /hooks\.mjs has a default export that is no object: function$/],
      [
        'two places',
        'export default { compacting() {} }\nexport function afterCompact() {}',
        /exports `afterCompact` beside its default/,
      ],
      ['an end of the process', 'process.exit(0)', /hooks\.mjs ended its process while it was loaded$/],
    ]
    for (const [what, source, fault] of faults)
      await t.test(what, async (t) => {
        const { message } = await openHooks(t, source).then(
          () => new Error('no fault'),
          (error: unknown) => error as Error,
        )
        t.match(message, /^Invalid configuration:\nPRECIS_HOOKS \//)
        t.match(message, fault)
      })
    const missing = join(t.testdir({}), 'missing.js')
    const script = new URL('../src/hook-process.ts', import.meta.url)
    const open = HookRunner.open({ script, file: missing, env: {}, processes: 1, limitMs: 1 })
    await t.rejects(open, { message: `Invalid configuration:\nPRECIS_HOOKS ${missing} cannot be read (ENOENT)` })
  },
)

t.test('`compacting` adds lines to the prompt, replaces its instructions, and adds data to preserve', async (t) => {
  const hooks = await openHooks(
    t,
    `export default {
      async compacting({ type, preparation, ...event }) {
        const { messagesToSummarize: messages, ...facts } = preparation
        return {
          // Without the id of the request, which is in the log as well.
          context: [JSON.stringify({ type, ...event, requestId: typeof event.requestId, facts, messages })],
          prompt: 'List the risks only.',
          preserveData: { team: 'parsers' },
        }
      },
    }`,
  )
  const payload = {
    ...SESSION,
    context: ['Of the client.'],
    customInstructions: 'the lexer',
    preserveData: { id: 7, team: 'none' },
  }
  const { body, tasks } = await post(t, { hooks }, { payload })
  const [{ prompt } = { prompt: '' }] = tasks
  t.match(prompt, /<additional-context>\n- Of the client\.\n- \{/)
  t.match(prompt, /\n\nList the risks only\.\n\n/)
  t.notMatch(prompt, '## Goal')
  t.match(JSON.parse(/^- (\{.*\})$/m.exec(prompt)?.[1] ?? ''), {
    type: 'compacting',
    route: '/compaction',
    requestId: 'string',
    customInstructions: 'the lexer',
    facts: {
      turnPrefixMessages: [],
      omittedMessages: 0,
      files: { readFiles: [], modifiedFiles: [] },
      maxTokens: Number,
      settings: { keepRecentTokens: 1 },
      isSplitTurn: false,
      tokensBefore: Number,
    },
    messages: [{ role: 'user', content: [{ type: 'text', text: TEXT }] }, { role: 'assistant' }],
  })
  t.same(body.preserveData, { id: 7, team: 'parsers' })
  t.match(body.report, { model: 'fake', calls: 1, hooks: [ran('compacting')] })
})

const SUPPLY = `
  export const beforeCompact = ({ customInstructions }) =>
    customInstructions === 'stop' ? { cancel: true, reason: 'Not on Tuesdays!'.padEnd(499, '!') + '😀' } : { summary: 'Written by a rule.' }
  export const compacting = () => { throw new Error('must not run') }
  export const beforeBranchSummary = () => ({ summary: 'Written by a rule.' })
`

t.test('`beforeCompact` supplies the summary: no model is called, and it is returned as it is', async (t) => {
  const hooks = await openHooks(t, SUPPLY)
  const { body, tasks } = await post(t, { hooks })
  t.same(tasks, [])
  t.match(body, {
    summary: 'Written by a rule.',
    report: { model: 'hook', strategy: 'hook', calls: 0, windows: 0, hooks: [ran('beforeCompact')] },
  })
  t.equal(body.report.checks.latestRequest, 'missing')
})

t.test(
  '`beforeCompact` refuses the compaction with its reason, cut between characters, and no model is called',
  async (t) => {
    const hooks = await openHooks(t, SUPPLY)
    const { response, body, tasks } = await post(t, { hooks }, { payload: { ...SESSION, customInstructions: 'stop' } })
    t.equal(response.statusCode, 422)
    t.equal(body.type, 'urn:precis:problem:compaction-cancelled')
    t.equal(body.detail, `A hook of this service has cancelled the compaction: ${'Not on Tuesdays!'.padEnd(499, '!')}`)
    t.same(tasks, [])
  },
)

t.test('a summary that the request brings is not asked about', async (t) => {
  const hooks = await openHooks(t, SUPPLY)
  const { body } = await post(t, { hooks }, { payload: { ...SESSION, summary: 'By the user.' } })
  t.match(body, { summary: 'By the user.', report: { model: 'caller', strategy: 'caller' } })
  t.notOk('hooks' in body.report)
})

const entry = (id: string, parentId: string | null, text: string) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content: text },
})
const TREE = [entry('a', null, TEXT), entry('b', 'a', 'Try the first way.'), entry('c', 'a', 'Try the second way.')]
const CHAT = [...MESSAGES, { role: 'user', content: 'Write a summary of our conversation so far.' }]
const BLOCK = { type: 'compaction', content: 'Written by a rule.' }

const ROUTES: [url: string, payload: object, expected: object][] = [
  ['/compaction', { conversation: `[User]: ${TEXT}` }, { summary: 'Written by a rule.' }],
  [
    '/compaction',
    { prompt: `<conversation>\n[User]: ${TEXT}\n</conversation>\n\nSummarize it.` },
    { summary: 'Written by a rule.' },
  ],
  ['/handoff', { messages: MESSAGES }, { document: 'Written by a rule.' }],
  ['/branch-summary', { entries: TREE, fromId: 'b', targetId: 'c' }, { summary: 'Written by a rule.' }],
  [
    '/v1/chat/completions',
    { model: 'm', messages: CHAT },
    { choices: [{ message: { content: 'Written by a rule.' } }] },
  ],
  [
    '/v1/messages',
    { model: 'm', max_tokens: 900, messages: MESSAGES, compaction: { type: 'summarize' } },
    { content: [BLOCK] },
  ],
  ['/v1/compress', { messages: conversation(30), token_budget: 2000 }, { transforms_applied: ['precis:summary'] }],
]

t.test('every route that summarizes runs the hooks', async (t) => {
  const { app } = await startApp(t, { summarizer: fakeSummarizer(), hooks: await openHooks(t, SUPPLY) })
  for (const [url, payload, expected] of ROUTES) {
    const response = await app.inject({ method: 'POST', url, payload })
    t.match(response.json(), expected, url)
    t.match(response.body, 'Written by a rule.', url)
  }
  const items = {
    method: 'POST' as const,
    url: '/v1/responses/compact?items=messages',
    payload: { model: 'm', input: MESSAGES },
  }
  t.match((await app.inject(items)).body, 'Written by a rule.')
  const plan = await app.inject({ method: 'POST', url: '/compaction/plan', payload: SESSION })
  t.notMatch(plan.body, 'rule')
  const other = { model: 'm', messages: [{ role: 'user', content: 'What is a lexer?' }] }
  const chat = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: other })
  t.notMatch(chat.body, 'rule', 'a chat that asks for no summary goes to the model')
})

t.test('without a model, hooks run as well, and the reply is an extract', async (t) => {
  const hooks = await openHooks(t, 'export const compacting = () => ({ preserveData: { team: "parsers" } })')
  const summarizer = await createSummarizer(readSettings({}), templates)
  const { body } = await post(t, { hooks, summarizer })
  t.match(body, { preserveData: { team: 'parsers' }, report: { model: 'embedded', hooks: [ran('compacting')] } })
})

t.test('what `beforeCompact` preserves stays beside what `compacting` adds', async (t) => {
  const hooks = await openHooks(
    t,
    `export const beforeCompact = () => ({ preserveData: { team: 'parsers' } })
    export const compacting = () => ({ context: ['Of the hook.'] })`,
  )
  const { body, tasks } = await post(t, { hooks }, { payload: { ...SESSION, preserveData: { id: 7 } } })
  t.match(tasks[0]?.prompt, /<additional-context>\n- Of the hook\.\n/)
  t.same(body.preserveData, { id: 7, team: 'parsers' })
  t.match(body.report.hooks, [ran('beforeCompact'), ran('compacting')])
})

t.test('a hook is told how many messages are too long for its event, with those before them', async (t) => {
  const hooks = await openHooks(
    t,
    'export const compacting = ({ preparation: { messagesToSummarize: { length }, turnPrefixMessages, omittedMessages } }) => ({ preserveData: { counts: [length, turnPrefixMessages.length, omittedMessages] } })',
  )
  const long = { role: 'assistant', content: 'The parser has moved. '.repeat(200_000) }
  const messages = [...MESSAGES, long, { role: 'assistant', content: 'So has the lexer.' }]
  const { body } = await post(t, { hooks }, { payload: { ...SESSION, messages } })
  t.same(body.preserveData, { counts: [0, 0, 4] })
})

t.test('a hook gets the beginning of a turn as such, also where nothing comes before it', async (t) => {
  const hooks = await openHooks(
    t,
    'export const compacting = ({ preparation: { messagesToSummarize: older, turnPrefixMessages: turn, isSplitTurn } }) => ({ preserveData: { counts: [older.length, turn.length, isSplitTurn] } })',
  )
  const messages = [
    { role: 'user', content: 'Fix the parser.' },
    { role: 'assistant', content: 'The parser has moved.' },
    { role: 'assistant', content: 'So has the lexer.' },
  ]
  const { body } = await post(t, { hooks }, { payload: { ...SESSION, messages } })
  t.same(body.preserveData, { counts: [0, 2, true] })
})

t.test('a session that a worker reads is read again with what the hook adds', async (t) => {
  const hooks = await openHooks(t, 'export const compacting = () => ({ context: ["Of the hook."] })')
  const pool = new WorkerPool({ script: WORKER, workers: 1, memoryMb: 512 })
  const long = { role: 'assistant', content: 'The parser has moved. '.repeat(2000) }
  const payload = { ...SESSION, messages: [...MESSAGES.slice(0, 2), long, MESSAGES[2]] }
  const { body, tasks } = await post(t, { hooks, jobs: new JobRunner(pool) }, { payload })
  t.match(
    tasks.map(({ prompt }) => prompt),
    [/<additional-context>\n- Of the hook\.\n/],
  )
  t.match(body.report, { model: 'fake', calls: 1, hooks: [ran('compacting')] })
})

t.test('a branch summary gets the instructions of its hook', async (t) => {
  const hooks = await openHooks(
    t,
    'export const beforeBranchSummary = ({ preparation: { oldLeafId, targetId, entryIds } }) => ({ customInstructions: `${oldLeafId} ${targetId} ${entryIds}` })',
  )
  const { tasks } = await post(
    t,
    { hooks },
    { url: '/branch-summary', payload: { entries: TREE, fromId: 'b', targetId: 'c' } },
  )
  t.match(
    tasks.map(({ prompt }) => prompt),
    [/\n\nb c b$/],
  )
})

const FAILING = `
  export const beforeCompact = async ({ preparation }) => {
    const [{ content: [{ text }] }] = preparation.messagesToSummarize
    if (text.includes('throw')) throw new RangeError(text)
    if (text.includes('misspell')) return { [text]: true }
    if (text.includes('wrong type')) return { summary: 7 }
    if (text.includes('circle')) { const circle = {}; circle.circle = circle; return circle }
    if (text.includes('large')) return { summary: 'x'.repeat(2 ** 20) }
    if (text.includes('exit')) process.exit(1)
    if (text.includes('garbage')) writeSync(3, Buffer.from([4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 97, 98, 99, 100]))
    if (text.includes('forge')) answer({ outcome: text, detail: text, error: text })
  }
  import { writeSync } from 'node:fs'
  import { serialize } from 'node:v8'
  // As the answer of the first job of its process.
  const answer = (header) => {
    const bytes = serialize(header)
    writeSync(3, Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, 0, 1).buffer), bytes]))
  }
`

t.test('a hook that fails changes nothing: the report says so, and the log has no content', async (t) => {
  const hooks = await openHooks(t, FAILING)
  const { app, log } = await startApp(t, { hooks })
  const cases: [how: string, outcome: string, logged: object][] = [
    ['Please throw this sentence away.', 'failed', { error: 'RangeError', place: 'hooks.mjs:4' }],
    ['Please misspell this sentence.', 'invalid', { detail: /^has a field that is not known\. Known are `cancel`/ }],
    [
      'Please return the wrong type here.',
      'invalid',
      { detail: 'has a `summary` that is not a string that is not blank' },
    ],
    ['Please return a circle, as JSON.', 'invalid', { detail: 'cannot be written as JSON' }],
    ['Please return something large.', 'invalid', { detail: 'is larger than 1 MiB as JSON' }],
    ['Please exit at once, it is late.', 'failed', {}],
    ['Please write garbage to the service.', 'failed', {}],
    ['Please forge an answer for the log.', 'failed', {}],
    ['Please do nothing with this text.', 'ok', {}],
  ]
  for (const [text, outcome, logged] of cases) {
    const payload = { ...SESSION, messages: [{ role: 'user', content: text }, ...MESSAGES.slice(1)] }
    const response = await app.inject({
      method: 'POST',
      url: '/compaction',
      payload,
      headers: { 'x-request-id': `id-${cases.findIndex(([how]) => how === text)}` },
    })
    t.match(
      response.json(),
      { summary: /A summary of the history/, report: { model: 'fake', hooks: [ran('beforeCompact', outcome)] } },
      text,
    )
    const line = log()
      .split('\n')
      .find((one) => one.includes('"hook failed"') && one.includes(`"id-${cases.findIndex(([how]) => how === text)}"`))
    if (outcome === 'ok') t.equal(line, undefined)
    else t.match(JSON.parse(line ?? '{}'), { level: 40, hook: 'beforeCompact', outcome, ms: Number, ...logged }, text)
  }
  t.notMatch(log(), /Please/)
  const { body } = await app.inject('/metrics')
  t.match(body, 'precis_hooks_total{hook="beforeCompact",outcome="invalid"} 4')
})

t.test('a module that was broken after the start has no effect, and the log names the cause', async (t) => {
  const hooks = await openHooks(t, 'export const compacting = () => process.exit(1)')
  writeFileSync(join(t.testdirName, 'hooks.mjs'), 'export const compacting =')
  const { app, log } = await startApp(t, { hooks })
  const outcomes: unknown[] = []
  for (let run = 0; run < 2; run++) {
    const response = await app.inject({ method: 'POST', url: '/compaction', payload: SESSION })
    outcomes.push(response.json().report.hooks)
  }
  t.match(outcomes, [[ran('compacting', 'failed')], [ran('compacting', 'failed')]])
  t.match(log(), '"detail":"has been changed since the service was started')
})

t.test('a hook that hangs is killed at its limit, and no other request waits for it', async (t) => {
  const fire = new Map<number, () => void>()
  let started = 0
  const startTimer: StartTimer = (callback) => {
    const number = started++
    fire.set(number, callback)
    return () => void fire.delete(number)
  }
  const hooks = await openHooks(
    t,
    `export const compacting = ({ customInstructions }) => {
      if (customInstructions === 'hang') for (;;);
      return { context: ['Of pid ' + process.pid] }
    }`,
    { startTimer },
  )
  const summarizer = fakeSummarizer()
  const { app } = await startApp(t, { hooks, summarizer })
  const ask = (customInstructions: string) =>
    app.inject({ method: 'POST', url: '/compaction', payload: { ...SESSION, customInstructions } })
  const pidOf = (): number => Number(/Of pid (\d+)/.exec(summarizer.tasks.at(-1)?.prompt ?? '')?.[1])
  await ask('go on')
  const first = pidOf()
  const hanging = ask('hang')
  // The timer of the wait, and that of the hook in the process.
  await until(() => started >= 5)
  t.equal(fire.size, 1, 'a hook that has begun has its own limit: that of its wait has stopped')
  await ask('go on')
  t.not(pidOf(), first, 'another process')
  for (const callback of [...fire.values()]) callback()
  t.match((await hanging).json(), { summary: /A summary/, report: { hooks: [ran('compacting', 'timeout')] } })
  await until(() => !isAlive(first))
  await ask('go on')
  t.not(pidOf(), first, 'its process is gone')
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('a hook for which no process is ready in time does not run', async (t) => {
  const timers: (() => void)[] = []
  const hooks = await openHooks(t, 'export const compacting = ({ route }) => { if (route === "hang") for (;;); }', {
    processes: 1,
    startTimer: (callback) => {
      timers.push(callback)
      return () => undefined
    },
  })
  const runs: LoggedRun[] = []
  hooks.listen((run) => runs.push(run))
  const call = (route: string) => ({
    hook: 'compacting' as const,
    event: Buffer.from(JSON.stringify({ route })),
    requestId: route,
    caller: 'o',
  })
  const { signal } = new AbortController()
  const first = hooks.run(call('hang'), signal)
  await until(() => timers.length === 3)
  const second = hooks.run(call('wait'), signal)
  timers[3]?.()
  t.match(await second, { run: ran('compacting', 'unavailable'), result: {} })
  timers[2]?.()
  t.match(await first, { run: ran('compacting', 'timeout'), result: {} })
  t.match(runs, [{ requestId: 'wait' }, { requestId: 'hang' }])
})

t.test('`afterCompact` gets the summary when the reply has been sent, and a shutdown waits for it', async (t) => {
  const file = join(t.testdir({}), 'event.json')
  const hooks = await openHooks(
    t,
    `import { setTimeout } from 'node:timers/promises'
    import { writeFileSync } from 'node:fs'
    export async function afterCompact(event) {
      await setTimeout(50)
      writeFileSync(${JSON.stringify(file)}, JSON.stringify({ ...event, pid: process.pid }))
    }`,
  )
  const { app, body } = await post(t, { hooks })
  t.notOk('hooks' in body.report)
  await app.close()
  t.ok(existsSync(file))
  const event = JSON.parse(readFileSync(file, 'utf8'))
  const { summary, firstKeptEntryId, tokensBefore, tokensAfter, report } = body
  t.match(event, {
    type: 'afterCompact',
    route: '/compaction',
    requestId: String,
    summary,
    firstKeptEntryId,
    tokensBefore,
    tokensAfter,
  })
  t.same(event.report, report)
  await until(() => !isAlive(event.pid))
})

t.test('a hook gets its own variables, and none of the service', async (t) => {
  const env = hookEnvironment({
    ...process.env,
    OPENAI_API_KEY: 'a-key',
    PRECIS_TOKENS: 'a-token',
    PRECIS_REDIS_URL: 'redis://:x@r',
    HOOK_URL: 'http://wiki',
  })
  const hooks = await openHooks(t, 'export const compacting = () => ({ context: [JSON.stringify(process.env)] })', {
    env,
  })
  const { tasks } = await post(t, { hooks })
  const [{ prompt } = { prompt: '' }] = tasks
  t.match(prompt, '"HOOK_URL":"http://wiki"')
  t.notMatch(prompt, /OPENAI_API_KEY|PRECIS_|a-key|a-token/)
})

t.test('a model answers once for the same result of a hook, and again for another one', async (t) => {
  const hooks = await openHooks(
    t,
    'let runs = 0\nexport const compacting = () => ({ context: [`Of run ${runs++ < 2 ? "one or two" : "three"}.`] })',
    { processes: 1 },
  )
  const server = await startModelServer(t, () => ({ text: '## Goal\nMove the lexer.' }))
  const summarizer = await createSummarizer(readSettings({ OPENAI_BASE_URL: server.url }), templates)
  const { app } = await startApp(t, { hooks, summarizer })
  const counts: number[] = []
  for (let run = 0; run < 3; run++) {
    await app.inject({ method: 'POST', url: '/compaction', payload: SESSION })
    counts.push(server.requests.filter(({ body }) => !JSON.stringify(body).includes('first-draft')).length)
  }
  t.same(counts, [1, 1, 2])
})

t.test('the digest is that of the file, and CommonJS modules work as well', async (t) => {
  const source = 'module.exports = { compacting() {}, afterCompact: async () => {} }'
  const { names, digest } = await openHooks(t, source, { name: 'hooks.cjs' })
  t.same(names, ['compacting', 'afterCompact'])
  await t.test('in another folder', async (t) => {
    t.equal((await openHooks(t, source, { name: 'rules.cjs' })).digest, digest)
    t.not((await openHooks(t, `${source}\n`, { name: 'hooks.cjs' })).digest, digest)
  })
})

t.test('examples/operator-hooks.js refuses closed files, and counts the compactions of a session', async (t) => {
  const source = readFileSync(new URL('../examples/operator-hooks.js', import.meta.url), 'utf8')
  const hooks = await openHooks(t, source, { env: { HOOK_CONTEXT: 'The team deploys on Tuesdays.' } })
  const { app, body, tasks } = await post(
    t,
    { hooks },
    { payload: { ...SESSION, preserveData: { team: { compactions: 2 } } } },
  )
  t.match(
    tasks.map(({ prompt }) => prompt),
    [/- The team deploys on Tuesdays\./],
  )
  t.same(body.preserveData, { team: { compactions: 3 } })
  const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'src/payroll/rates.ts' } }
  const result = { role: 'toolResult', toolCallId: 'c', toolName: 'read', content: 'ok', isError: false }
  const closed = [MESSAGES[0], { role: 'assistant', content: [call] }, result, ...MESSAGES.slice(1)]
  const refused = await app.inject({ method: 'POST', url: '/compaction', payload: { ...SESSION, messages: closed } })
  t.match(refused.json(), { status: 422, detail: /Sessions with files of payroll\/ or legal\/ are not summarized\.$/ })
})

t.test('the stored summaries of /v1/compress are found only with the same hooks', async (t) => {
  const messages = conversation(30)
  const summaries: string[] = []
  for (const text of ['One rule.', 'One rule.', 'Another rule.'])
    await t.test(text, async (t) => {
      const hooks = await openHooks(t, `export const beforeCompact = () => ({ summary: '${text}' })`)
      summaries.push(hooks.digest)
      const { app } = await startApp(t, { hooks })
      const response = await app.inject({
        method: 'POST',
        url: '/v1/compress',
        payload: { messages, token_budget: 2000 },
      })
      t.match(response.body, text)
    })
  t.equal(summaries[0], summaries[1])
  t.not(summaries[0], summaries[2])
})
