import t from 'tap'
import { entriesBody, sendBody, SESSION_ROUTES, startEmbedded } from '../support/send-body.ts'

// What takes longer than in proportion to its length would take minutes here.
t.test('a line of ten million characters is summarized, cut, pruned and planned', async (t) => {
  const output = JSON.stringify('x'.repeat(5_000_000) + '😀 '.repeat(1_666_666))
  const body = entriesBody(
    `{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"cat big"}}]}},` +
      `{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":${output}}],"isError":true}},` +
      `{"type":"message","id":"d","parentId":"c","message":{"role":"user","content":"Next."}}`,
  )
  const bodies: [route: string, body: string][] = SESSION_ROUTES.map((route) => [route, body])
  bodies.push(['/compaction', JSON.stringify({ conversation: `[User]: ${'y'.repeat(10_000_000)}` })])
  const { url } = await startEmbedded(t)
  for (const [route, body] of bodies) t.equal((await sendBody(url + route, body)).status, 200, route)
})
