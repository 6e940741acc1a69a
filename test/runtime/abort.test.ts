import t from 'tap'
import { wait } from '../../src/runtime/abort.ts'

t.test('a wait ends by itself', async (t) => {
  await t.resolves(wait(1, new AbortController().signal))
})

t.test('a wait ends with its signal, and with its reason', async (t) => {
  const controller = new AbortController()
  const reason = new Error('gone')
  const waiting = wait(60_000, controller.signal)
  controller.abort(reason)
  await t.rejects(waiting, reason)
  await t.rejects(wait(60_000, controller.signal), reason)
})
