import { createTask } from '../../../src/prompt/task.ts'
import t from 'tap'
import { createMemoryStore, cacheKey } from '../../../src/model/sharing/result-store.ts'
import { TASK } from '../../support/start-summarizer.ts'

t.test('the newest results are kept', async (t) => {
  const store = createMemoryStore<{ n: number }>({ entries: 2, ttlMs: 60_000 })
  for (const n of [1, 2, 3]) store.set(`k${n}`, { n })
  t.same([store.get('k1'), store.get('k2'), store.get('k3')], [undefined, { n: 2 }, { n: 3 }])
})

t.test('a result is kept for a while and no longer', async (t) => {
  let nowMs = 1000
  const store = createMemoryStore<{ n: number }>({ entries: 2, ttlMs: 5, now: () => nowMs })
  store.set('k', { n: 1 })
  nowMs += 5
  t.same(store.get('k'), { n: 1 })
  nowMs += 1
  t.equal(store.get('k'), undefined)
})

t.test('a limit of 0 turns the store off', async (t) => {
  for (const limits of [
    { entries: 0, ttlMs: 1000 },
    { entries: 10, ttlMs: 0 },
  ]) {
    const store = createMemoryStore<{ n: number }>(limits)
    store.set('k', { n: 1 })
    t.equal(store.get('k'), undefined)
  }
})

const cacheNamespace = 'models'
const TEXTS = { kind: 'prompt' as const, systemPrompt: 'Be exact.', prompt: 'Summarize.', maxTokens: 50 }

t.test('tasks with equal texts have equal keys', async (t) => {
  t.equal(cacheKey(TASK, { cacheNamespace }), cacheKey(createTask(TEXTS), { cacheNamespace }))
  t.match(cacheKey(TASK, { cacheNamespace }), /^[\w-]{43}$/)
})

t.test('everything that decides the answer changes the key', async (t) => {
  const keyOf = (changes: object) => cacheKey(createTask({ ...TEXTS, ...changes }), { cacheNamespace })
  const keys = [
    keyOf({}),
    keyOf({ prompt: 'Other.' }),
    keyOf({ systemPrompt: 'Other.' }),
    keyOf({ systemPrompt: 'Be exact.S', prompt: 'ummarize.' }),
    keyOf({ maxTokens: 51 }),
    keyOf({ kind: 'branch' }),
    keyOf({ turns: [{ role: 'user', content: 'Summarize.' }] }),
    cacheKey(TASK, { cacheNamespace: 'other models' }),
    cacheKey(TASK, { cacheNamespace, tokenDigest: 'somebody' }),
  ]
  t.equal(new Set(keys).size, keys.length)
})
