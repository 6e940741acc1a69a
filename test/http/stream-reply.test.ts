import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { Problem } from '../../src/errors.ts'
import { createAdmission } from '../../src/http/admission.ts'
import { streamReply, type ReplyProducer } from '../../src/http/stream-reply.ts'
import { handleErrors } from '../../src/http/problems.ts'
import { logRequests } from '../../src/http/record-requests.ts'
import { addRequestBudget } from '../../src/http/request-budget.ts'
import { until, untilAborted } from '../support/until.ts'

type Produce = (budget: Parameters<ReplyProducer>[0]) => Promise<object>

async function start(t: Test, produceValue: Produce, heartbeatMs = 0) {
  const produce: ReplyProducer = async (budget) => Buffer.from(JSON.stringify(await produceValue(budget)))
  const app = fastify()
  handleErrors(app)
  logRequests(app)
  addRequestBudget(app, { deadlineMs: 600_000, admission: createAdmission({ concurrency: 1, queue: 0 }) })
  app.post('/', (request, reply) => streamReply(request, reply, { produce, heartbeatMs }))
  t.teardown(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** What work waits for until the test opens it. */
function openGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const events = { accept: 'text/event-stream' }
const post = (url: string, headers: Record<string, string> = {}) => fetch(url, { method: 'POST', headers })
const fails = async (): Promise<object> => {
  throw new Problem('model-failed', 'first failed.')
}
const problem = {
  type: 'urn:precis:problem:model-failed',
  title: 'The model server gave no usable summary',
  status: 502,
  detail: 'first failed.',
}

t.test('a reply is JSON, whatever else a client would accept', async (t) => {
  const url = await start(t, async () => ({ done: true }))
  for (const accept of ['*/*', 'application/json', 'text/html, */*;q=0.1']) {
    const response = await post(url, { accept })
    t.match(response.headers.get('content-type'), /^application\/json/)
    t.same(await response.json(), { done: true })
  }
})

t.test('events tell the plan, how far it is, and the result', async (t) => {
  const url = await start(t, async ({ onPlan, onProgress }) => {
    onPlan?.({ windows: 2 })
    onProgress?.({ done: 1, total: 3, phase: 'summarize' })
    return { summary: 'line\nbreak' }
  })
  const response = await post(url, events)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  t.equal(response.headers.get('cache-control'), 'no-store')
  t.equal(
    await response.text(),
    [
      'event: plan\ndata: {"windows":2}',
      'event: progress\ndata: {"done":1,"total":3,"phase":"summarize"}',
      'event: result\ndata: {"summary":"line\\nbreak"}',
      '',
    ].join('\n\n'),
  )
})

t.test('what fails once events have begun is an event; before, it has its status', async (t) => {
  const late = await start(t, async (budget) => {
    budget.onPlan?.({ windows: 1 })
    return fails()
  })
  const begun = await post(late, events)
  t.equal(begun.status, 200)
  t.equal(
    await begun.text(),
    `event: plan\ndata: {"windows":1}\n\nevent: problem\ndata: ${JSON.stringify(problem)}\n\n`,
  )
  const early = await post(await start(t, fails), events)
  t.equal(early.status, 502)
  t.same(await early.json(), problem)
})

t.test('spaces keep a waiting reply open, and what follows is the same JSON', async (t) => {
  const seen = openGate()
  const url = await start(
    t,
    async () => {
      await seen.opened
      return { done: true }
    },
    5,
  )
  const response = await post(url)
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^application\/json/)
  let text = ''
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString()
    if (text.length >= 2) seen.open()
  }
  t.match(text, /^ {2,}\{"done":true\}$/)
})

t.test('what is quick has no space before it, and what fails quickly has its status', async (t) => {
  const quick = await post(await start(t, async () => ({ done: true }), 60_000))
  t.equal(await quick.text(), '{"done":true}')
  t.equal((await post(await start(t, fails, 60_000))).status, 502)
})

t.test('what fails after a space is a problem with status 200 and no summary', async (t) => {
  const begun = openGate()
  const url = await start(t, () => begun.opened.then(fails), 5)
  const response = await post(url)
  // The head comes with the first space.
  begun.open()
  t.equal(response.status, 200)
  t.same(await response.json(), problem)
})

for (const [name, headers, heartbeatMs] of [
  ['events', 'Accept: text/event-stream\r\n', 0],
  ['spaces', '', 10],
] as const)
  t.test(`a hang-up in the middle of ${name} ends the work`, async (t) => {
    const signals: AbortSignal[] = []
    const url = await start(
      t,
      async ({ signal, onPlan }) => {
        signals.push(signal)
        onPlan?.({ windows: 1 })
        await once(signal, 'abort').catch(() => undefined)
        throw signal.reason
      },
      heartbeatMs,
    )
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 0\r\n\r\n`)
    await once(socket, 'data')
    socket.destroy()
    await untilAborted(signals[0]!)
    t.equal((signals[0]?.reason as Error).name, 'ClientDisconnected')
  })

t.test('work that ends after a hang-up begins no reply', async (t) => {
  const { opened, open } = openGate()
  const errors: string[] = []
  const app = fastify()
  logRequests(app)
  addRequestBudget(app, { deadlineMs: 600_000, admission: createAdmission({ concurrency: 1, queue: 0 }) })
  app.addHook('onError', async (_request, _reply, { name }) => void errors.push(name))
  handleErrors(app)
  let signal: AbortSignal | undefined
  const produce: ReplyProducer = async (budget) => {
    signal = budget.signal
    await opened
    budget.onPlan?.({ windows: 1 })
    return Buffer.from('{}')
  }
  app.post('/', (request, reply) => streamReply(request, reply, { produce, heartbeatMs: 0 }))
  t.teardown(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Length: 0\r\n\r\n')
  await until(() => signal !== undefined)
  socket.destroy()
  await until(() => signal?.aborted === true)
  open()
  await until(() => errors.length > 0)
  t.same(errors, ['ClientDisconnected'])
})
