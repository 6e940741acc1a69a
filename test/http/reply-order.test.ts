import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'
import { openSocket } from '../support/sockets.ts'

const BODY = '{"prompt":"p"}'
const TYPE = 'Host: localhost\r\nContent-Type: application/json\r\n'
const post = (headers: string, body = '', path = '/compaction'): string =>
  `POST ${path} HTTP/1.1\r\n${TYPE}${headers}\r\n\r\n${body}`
const GOOD = post(`Content-Length: ${BODY.length}`, BODY)
const EXPECTING = post(`Expect: 100-continue\r\nContent-Length: ${BODY.length}`)
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const GARBAGE = 'this is no request\r\n\r\n'

/** A service whose model answers when the test says so. */
async function start(t: Test) {
  const answers: (() => void)[] = []
  const summarizer = fakeSummarizer(
    (_task, { signal }) =>
      new Promise((resolve, reject) => {
        answers.push(() => {
          resolve('## Goal\nThe parser is fixed.')
        })
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
      }),
  )
  const started = await listenApp(t, { summarizer, settings: { bodyLimitBytes: 100 } })
  const open = (text: string) => {
    const opened = openSocket(t, Number(new URL(started.url).port), { text, allowHalfOpen: true })
    const { socket } = opened
    socket.on('end', () => socket.end())
    return {
      socket,
      text: () => opened.reply,
      statuses: () => statusesOf(opened.reply),
      isClosed: () => opened.isClosed,
    }
  }
  return { ...started, answers, open, logged: () => endsOf(started.log()) }
}

/** Returns the statuses of the replies, if nothing but complete replies was received. */
function statusesOf(received: string): string[] {
  const statuses: string[] = []
  for (let rest = received; rest !== '';) {
    const [head = '', length] = /^HTTP\/1\.1 \d{3} [^]*?\r\n\r\n/.exec(rest) ?? []
    if (head === '') return [...statuses, `not a reply: ${rest.slice(0, 80)} ${length ?? ''}`]
    const bytes = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    const body = rest.slice(head.length, head.length + bytes)
    if (body !== '') JSON.parse(body)
    statuses.push(head.slice(9, 12))
    rest = rest.slice(head.length + bytes)
  }
  return statuses
}

/** Returns the statuses of the log lines, with `hungUp`. */
const endsOf = (log: string): string[] =>
  [...log.matchAll(/"status":(\d+),"ms":\d+(,"hungUp":true)?/g)].map(
    ([, status = '', hungUp]) => status + (hungUp === undefined ? '' : ' hung up'),
  )

t.test('a body that is not HTTP is refused in the format of its path', async (t) => {
  const { open } = await start(t)
  const textFor = async (path: string): Promise<string> => {
    const { text, isClosed } = open(post('Transfer-Encoding: chunked', 'no size\r\n', path))
    await until(isClosed)
    return text()
  }
  t.match(await textFor('/compaction'), /\nContent-Type: application\/problem\+json\r\n[^]*\}$/)
  t.match(await textFor('/v1/responses'), /"detail":"[^"]*","error":\{"message"/)
  t.match(
    await textFor('/v1/messages'),
    /\nContent-Type: application\/json\r\n[^]*\{"type":"error","error":\{"type":"invalid_request_error"/,
  )
})

t.test('a complete request before bytes that are not HTTP gets its reply first', async (t) => {
  const { open, answers, logged } = await start(t)
  const { statuses, isClosed } = open(GOOD + GOOD + GARBAGE)
  await until(() => answers.length === 2)
  for (const answer of answers.reverse()) answer()
  await until(isClosed)
  t.same(statuses(), ['200', '200', '400'])
  await until(() => logged().length === 2)
  t.same(logged(), ['200', '200'])
})

t.test('a complete request before a broken body gets its reply first, and only the broken one is 400', async (t) => {
  const { open, answers, logged } = await start(t)
  const { statuses, isClosed } = open(GOOD + post('Transfer-Encoding: chunked', 'ZZZ\r\n'))
  await until(() => answers.length === 1)
  answers[0]?.()
  await until(isClosed)
  t.same(statuses(), ['200', '400'])
  await until(() => logged().length === 2)
  t.same(logged(), ['200', '400'])
})

t.test('a complete request before CONNECT gets its reply first', async (t) => {
  const { open, answers } = await start(t)
  const { statuses, isClosed } = open(`${GOOD}CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n`)
  await until(() => answers.length === 1)
  answers[0]?.()
  await until(isClosed)
  t.same(statuses(), ['200', '404'])
})

t.test('a request whose body breaks after its reply gets no second one', async (t) => {
  const { open, logged } = await start(t)
  const { socket, statuses, isClosed } = open(post('Transfer-Encoding: chunked', '1\r\na\r\n', '/nowhere'))
  await until(() => statuses().length === 1)
  socket.write('ZZZ\r\n')
  await until(isClosed)
  t.same(statuses(), ['404'])
  await until(() => logged().length === 1)
  t.same(logged(), ['404'])
})

t.test('a pipelined request that expects 100 Continue gets it after the replies before it', async (t) => {
  const { open, answers, text, statuses, socket, logged } = await start(t).then((started) => ({
    ...started,
    ...started.open(GOOD + HEALTH + EXPECTING),
  }))
  await until(() => answers.length === 1)
  t.equal(text(), '')
  answers[0]?.()
  await until(() => text().endsWith('HTTP/1.1 100 Continue\r\n\r\n'))
  socket.write(BODY)
  await until(() => answers.length === 2)
  answers[1]?.()
  await until(() => statuses().length === 4)
  t.same(statuses(), ['200', '200', '100', '200'])
  await until(() => logged().length === 3)
  t.same(logged(), ['200', '200', '200'])
  // The first request of a connection need not wait.
  const first = open(EXPECTING)
  await until(() => first.text() === 'HTTP/1.1 100 Continue\r\n\r\n')
})

t.test('a queued request that does not wait for its 100 Continue keeps its reply whole', async (t) => {
  const { open, answers } = await start(t)
  const { statuses } = open(GOOD + EXPECTING + BODY + HEALTH)
  await until(() => answers.length === 1)
  answers[0]?.()
  await until(() => answers.length === 2)
  answers[1]?.()
  await until(() => statuses().length === 4)
  t.same(statuses(), ['200', '100', '200', '200'])
})

t.test('a queued unknown expectation is answered in its turn', async (t) => {
  const { open, answers } = await start(t)
  const { statuses } = open(`${GOOD}GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n`)
  await until(() => answers.length === 1)
  answers[0]?.()
  await until(() => statuses().length === 2)
  t.same(statuses(), ['200', '417'])
})

t.test('a client that closes before its body is complete has hung up', async (t) => {
  for (const end of ['end', 'resetAndDestroy'] as const) {
    const { open, logged, app } = await start(t)
    const { socket, isClosed, text } = open(HEALTH + post('Content-Length: 50', '{"pro'))
    await until(() => text() !== '')
    socket[end]()
    await until(isClosed)
    await until(() => logged().length === 2)
    t.same(logged(), ['200', '499 hung up'], end)
    await app.close()
  }
})

t.test('a client that closes before a queued reply has hung up, and one that has its replies has not', async (t) => {
  const { open, answers, logged } = await start(t)
  const { socket, statuses } = open(HEALTH + GOOD + GOOD + GARBAGE)
  await until(() => answers.length === 2 && statuses().length === 1)
  socket.destroy()
  await until(() => logged().length === 3)
  t.same(logged(), ['200', '499 hung up', '499 hung up'])
})

t.test('a keep-alive connection that closes after its reply is no hang-up', async (t) => {
  const { open, logged, app } = await start(t)
  for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const { socket, statuses, isClosed } = open(HEALTH + HEALTH)
    await until(() => statuses().length === 2)
    socket[end]()
    await until(isClosed)
  }
  await app.close()
  t.same(
    logged(),
    Array.from({ length: 6 }, () => '200'),
  )
})

const LARGE = 'x'.repeat(10_000)
const UNKNOWN: readonly [kind: string, request: string | Buffer][] = [
  ['large', post(`Content-Length: ${LARGE.length}`, LARGE, '/nowhere')],
  ['chunked', post('Transfer-Encoding: chunked', `2710\r\n${LARGE}\r\n0\r\n\r\n`, '/nowhere')],
  ['compressed', packed('Content-Encoding: gzip', gzipSync(BODY))],
  ['of broken gzip', packed('Content-Encoding: gzip', Buffer.from('no gzip'))],
  ['of an unknown encoding', packed('Content-Encoding: zip', Buffer.from(BODY))],
  [
    'of an unknown type',
    'PUT /compaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\na',
  ],
]

function packed(header: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(post(`${header}\r\nContent-Length: ${body.length}`, '', '/nowhere')), body])
}

t.test('an unknown route or method with any body is 404 or 405, and its connection stays open', async (t) => {
  const { open } = await start(t)
  for (const [kind, request] of UNKNOWN) {
    const { socket, statuses, text } = open('')
    socket.write(request)
    await until(() => statuses().length > 0)
    socket.write(HEALTH)
    await until(() => statuses().length > 1)
    t.same(statuses(), [request.includes('/nowhere') ? '404' : '405', '200'], kind)
    t.match(text(), /urn:precis:problem:(?:not-found|method-not-allowed)/)
  }
})

t.test('the reply to a refused body and those before it arrive, and the connection stays open', async (t) => {
  const { open } = await start(t)
  const refused: readonly [status: string, request: string][] = [
    ['413', post('Transfer-Encoding: chunked', `30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`)],
    ['400', post('Content-Encoding: gzip\r\nContent-Length: 7', 'no gzip')],
  ]
  for (const [status, request] of refused) {
    const { statuses, isClosed } = open(HEALTH + request + HEALTH)
    await until(() => isClosed() || statuses().length === 3)
    t.same(statuses(), ['200', status, '200'])
  }
})
