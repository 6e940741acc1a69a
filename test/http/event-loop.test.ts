import fastify from 'fastify'
import t from 'tap'
import { sampleLoad } from '../../src/http/refuse-overload.ts'

t.test('the load is sampled from when the service listens: its start is no load', async (t) => {
  const app = fastify()
  let samples = 0
  const load = sampleLoad(app, () => {
    samples += 1
  })
  t.same(load(), { delayMs: 0, heapShare: 0 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.same(load(), { delayMs: 0, heapShare: 0 })
  while (samples === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const { delayMs, heapShare } = load()
  t.ok(delayMs >= 0 && delayMs < Infinity)
  t.ok(heapShare > 0 && heapShare < 1)
  await app.close()
})
