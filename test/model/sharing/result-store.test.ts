import t from 'tap'
import { createMemoryStore } from '../../../src/model/sharing/result-store.ts'

t.test('the newest results are kept', async (t) => {
  const store = createMemoryStore<{ n: number }>({ entries: 2, ttlMs: 60_000 })
  for (const n of [1, 2, 3]) store.set(`k${n}`, { n })
  t.same([store.get('k1'), store.get('k2'), store.get('k3')], [undefined, { n: 2 }, { n: 3 }])
})

t.test('a result is kept for a while and no longer', async (t) => {
  const store = createMemoryStore<{ n: number }>({ entries: 2, ttlMs: 5 })
  store.set('k', { n: 1 })
  await new Promise((resolve) => setTimeout(resolve, 30))
  t.equal(store.get('k'), undefined)
})

t.test('either limit at 0 keeps nothing', async (t) => {
  for (const limits of [
    { entries: 0, ttlMs: 1000 },
    { entries: 10, ttlMs: 0 },
  ]) {
    const store = createMemoryStore<{ n: number }>(limits)
    store.set('k', { n: 1 })
    t.equal(store.get('k'), undefined)
  }
})
