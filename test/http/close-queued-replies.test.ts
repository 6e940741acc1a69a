import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { listenApp } from '../support/start-app.ts'

const REQUEST =
  'POST /compaction HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"prompt":"p"}'

t.test('pipelined requests whose client hangs up end, give back their places, and are logged, each once', async (t) => {
  const summarizer = fakeSummarizer(async (_task, { signal, job }) => {
    await job?.enter(signal)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error)
      })
    })
  })
  const { url, log } = await listenApp(t, { summarizer, config: { concurrency: 4, queue: 4 } })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(REQUEST.repeat(3))
  while (summarizer.tasks.length < 3) await delay(2)
  socket.destroy()
  const hungUp = () => log().match(/"status":499,"ms":\d+,"hungUp":true/g)?.length ?? 0
  while (hungUp() < 3) await delay(2)
  await delay(20)
  t.equal(hungUp(), 3)
  t.match(await (await fetch(`${url}/metrics`)).text(), /^precis_jobs_in_flight 0$/m)
})

t.test('pipelined requests that are answered are logged once, whole', async (t) => {
  const { url, log } = await listenApp(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let replies = ''
  socket.on('data', (chunk: Buffer) => (replies += chunk.toString()))
  socket.write(REQUEST.repeat(3))
  while (replies.match(/HTTP\/1\.1 200 OK/g)?.length !== 3) await delay(2)
  socket.destroy()
  await delay(20)
  t.equal(log().match(/"route":"\/compaction","status":200/g)?.length, 3)
  t.notMatch(log(), /hungUp/)
})
