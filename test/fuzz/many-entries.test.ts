import t from 'tap'
import { sendBody, startEmbedded } from '../support/send-body.ts'

// `npm run fuzz` sends a million.
t.test('a hundred thousand tiny entries are planned and compacted', async (t) => {
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `{"type":"message","message":{"role":"user","content":"${index}"}}`,
  ).join('\n')
  const { url } = await startEmbedded(t)
  for (const route of ['/compaction/plan', '/compaction']) {
    const { status } = await sendBody(url + route, lines, { 'content-type': 'application/x-ndjson' })
    t.equal(status, 200, route)
  }
})
