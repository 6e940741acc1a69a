import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { HandoffReplySchema } from '../../src/schemas/handoff.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

const ENTRIES = [
  { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Covered.' } },
  { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: 'Kept.' } },
  {
    type: 'compaction',
    id: 'c',
    parentId: 'b',
    summary: '## Goal\nOld.\n\n<read-files>\nold.ts\n</read-files>',
    firstKeptEntryId: 'b',
  },
  {
    type: 'message',
    id: 'd',
    parentId: 'c',
    message: {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'x', name: 'write', arguments: { path: 'new.ts' } }],
    },
  },
]

t.test('the document covers all that the context holds, whatever keepRecentTokens says', async (t) => {
  const summarizer = fakeSummarizer('## Goal\nKept. Go on.')
  const { app } = await startApp(t, { summarizer })
  const payload = { entries: ENTRIES, settings: { keepRecentTokens: 1_000_000 }, customInstructions: 'Mind the tests.' }
  const reply = (await app.inject({ method: 'POST', url: '/handoff', payload })).json()
  t.ok(Value.Check(HandoffReplySchema, reply))
  t.equal(
    reply.document,
    '## Goal\nKept. Go on.\n\n<read-files>\nold.ts\n</read-files>\n\n<modified-files>\nnew.ts\n</modified-files>',
  )
  const [task] = summarizer.tasks
  t.match(task, { kind: 'handoff', maxTokens: 13_107 })
  t.match(task?.prompt, /Kept\.[^]*write\(path="new\.ts"\)[^]*<previous-summary>\n## Goal\nOld\.\n<\/previous-summary>/)
  t.match(task?.prompt, /### Pending[^]*Additional focus: Mind the tests\.$/)
  t.notMatch(task?.prompt, 'Covered.')
})

t.test('a session without a message is nothing to hand over', async (t) => {
  const { app } = await startApp(t)
  const response = await app.inject({ method: 'POST', url: '/handoff', payload: { entries: [] } })
  t.equal(response.statusCode, 422)
})
