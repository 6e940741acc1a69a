import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import t from 'tap'
import { EntrySchema } from '../../src/schemas/entry.ts'
import { findFaults } from '../../src/schemas/find-faults.ts'

const body = TypeCompiler.Compile(Type.Object({ entries: Type.Array(EntrySchema) }))
const faultsOf = (value: unknown) => findFaults(body.Errors(value))
const message = (content: unknown, role: unknown = 'user') => ({ type: 'message', message: { role, content } })

const cases: [name: string, value: unknown, faults: [pointer: string, detail: string][]][] = [
  ['a missing field', {}, [['/entries', 'is required']]],
  ['a field of the wrong type', { entries: 5 }, [['/entries', 'must be an array']]],
  ['an entry that is no object', { entries: [null] }, [['/entries/0', 'must be an object']]],
  ['an entry without a type', { entries: [{}] }, [['/entries/0/type', 'is required']]],
  ['a type that is no string', { entries: [{ type: 5 }] }, [['/entries/0/type', 'must be a string']]],
  ['a message entry without a message', { entries: [{ type: 'message' }] }, [['/entries/0/message', 'is required']]],
  [
    'a message without a role',
    { entries: [{ type: 'message', message: {} }] },
    [['/entries/0/message/role', 'is required']],
  ],
  [
    'content of the wrong type',
    { entries: [message(5)] },
    [['/entries/0/message/content', 'must be a string or an array']],
  ],
  ['a block that is no object', { entries: [message([5])] }, [['/entries/0/message/content/0', 'must be an object']]],
  [
    'one bad block, once',
    { entries: [message([{ type: 'text' }])] },
    [['/entries/0/message/content/0/text', 'is required']],
  ],
  [
    'every fault of several blocks',
    {
      entries: [
        message(
          [
            { type: 'text', text: 1 },
            { type: 'toolCall', id: 2 },
          ],
          'assistant',
        ),
      ],
    },
    [
      ['/entries/0/message/content/0/text', 'must be a string'],
      ['/entries/0/message/content/1/name', 'is required'],
      ['/entries/0/message/content/1/id', 'must be a string'],
    ],
  ],
  ['a compaction without its summary', { entries: [{ type: 'compaction' }] }, [['/entries/0/summary', 'is required']]],
  [
    'a nullish number',
    { entries: [{ type: 'message', message: { role: 'assistant', content: [], usage: { input: 'a' } } }] },
    [['/entries/0/message/usage/input', 'must be a number or null']],
  ],
]

for (const [name, value, expected] of cases)
  t.test(`names ${name}`, async (t) => {
    t.same(
      faultsOf(value),
      expected.map(([pointer, detail]) => ({ pointer, detail })),
    )
  })

t.test('accepts unknown types, roles, blocks and fields, and images whatever their fields', async (t) => {
  const entries = [
    { type: 'from_the_future', id: 'a', anything: [1] },
    { type: 'message', id: 'b', message: { role: 'pythonExecution', code: '1' }, extra: true },
    message([{ type: 'redacted_thinking', data: 'x' }], 'assistant'),
    message([{ type: 'image' }, { type: 'image', data: 5, mimeType: null }, { type: 'image_url', image_url: [] }]),
  ]
  t.same(faultsOf({ entries }), [])
})

t.test('names all values that a field may have', async (t) => {
  const form = TypeCompiler.Compile(Type.Union([Type.Literal('json'), Type.Literal('native'), Type.Literal('text')]))
  t.same(findFaults(form.Errors('csv')), [{ pointer: '', detail: 'must be "json" or "native" or "text"' }])
})

t.test('stops at twenty faults, however many there are', async (t) => {
  t.equal(faultsOf({ entries: Array.from({ length: 100_000 }, () => 0) }).length, 20)
})
