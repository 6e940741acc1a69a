import t from 'tap'
import { collectFiles } from '../../src/plan/collect-files.ts'
import type { Message } from '../../src/session/message.ts'
import { call } from '../support/build-entries.ts'

const calling = (...operations: [tool: string, path: string][]): Message => ({
  role: 'assistant',
  content: operations.map(([tool, path], index) => call(`c${index}`, tool, { path })),
})

t.test('rule 9: the lists are sorted, and each file stands once', async (t) => {
  const messages = [calling(['read', 'b'], ['read', 'a'], ['edit', 'd']), calling(['write', 'c'], ['read', 'b:5-9'])]
  t.same(collectFiles({ messages }), { readFiles: ['a', 'b'], modifiedFiles: ['c', 'd'] })
})

t.test('rule 9: readFiles leaves out what was modified, before or after', async (t) => {
  const messages = [calling(['edit', 'a'], ['read', 'a:5'], ['read', 'b'], ['write', 'b:raw'])]
  t.same(collectFiles({ messages }), { readFiles: [], modifiedFiles: ['a', 'b'] })
})

t.test('rule 9: lists of earlier summaries join, by the same rules for paths', async (t) => {
  const lists = [
    { readFiles: ['z:50-60', 'https://a.example/x'], modifiedFiles: ['m'] },
    { readFiles: ['m', 'a'], modifiedFiles: ['k:raw', ''] },
  ]
  t.same(collectFiles({ messages: [calling(['edit', 'a'])], lists }), {
    readFiles: ['z'],
    modifiedFiles: ['a', 'k', 'm'],
  })
})

t.test('rule 9: only tool calls name files, results and texts do not', async (t) => {
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'read(path="a.ts")' }] },
    {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'read',
      content: [{ type: 'text', text: 'a.ts' }],
      isError: false,
      isPruned: false,
    },
  ]
  t.same(collectFiles({ messages }), { readFiles: [], modifiedFiles: [] })
})
