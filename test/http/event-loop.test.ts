import fastify from 'fastify'
import t from 'tap'
import { isByOwnWork, sampleLoad } from '../../src/http/refuse-overload.ts'

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

t.test('only a process that had much to do, and ran, is late by its own work', async (t) => {
  const late = (utilization: number, cpuShare: number) => isByOwnWork({ utilization, cpuShare })
  t.equal(late(0.99, 0.95), true, 'a caller floods an idle machine')
  t.equal(late(0.99, 0.12), true, 'a caller floods a machine with many other processes')
  t.equal(late(0.02, 0.01), false, 'the machine stops an idle process')
  t.equal(late(0.98, 0.02), false, 'the machine stops a process within a small request')
  t.equal(late(0.2, 0.15), false, 'small requests one after another, and a pause between two of them')
})
