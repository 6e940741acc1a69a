import t from 'tap'
import { detectFormat } from '../../src/agents/detect-format.ts'

const detect = (...values: object[]): string | undefined => detectFormat({ fields: {}, values })

const message = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Fix it.' } }
const compaction = { type: 'compaction', id: 'b', parentId: 'a', summary: 'Done.', firstKeptEntryId: 'a' }

t.test('a session of pi that was compacted is not taken for items of the responses API, in any order', async (t) => {
  t.equal(detect(message, compaction), 'pi')
  t.equal(detect(compaction, message), 'pi')
  t.equal(detect({ type: 'session', version: 3, id: 's' }, compaction), 'pi')
})

t.test("messages of pi may have blocks of Anthropic's API", async (t) => {
  const content = [
    { type: 'redacted_thinking', data: 'x' },
    { type: 'toolCall', id: 'c', name: 'ls' },
  ]
  t.equal(detect({ role: 'assistant', content }), 'chat')
  t.equal(detect({ role: 'assistant', content: content.slice(0, 1) }, { role: 'toolResult', content: 'x' }), 'chat')
})

t.test('items of the responses API have the same types', async (t) => {
  t.equal(detect({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] }), 'responses')
})
