import { Type } from '@sinclair/typebox'
import t from 'tap'
import { compileForms, compileValidator } from '../../src/ingest/compile-validator.ts'

const forms = {
  prompt: Type.Object({ prompt: Type.String(), maxTokens: Type.Optional(Type.Integer({ minimum: 1 })) }),
  entries: Type.Object({ entries: Type.Array(Type.Unknown()) }),
}

t.test('a good value passes unchanged: nothing is coerced, filled in or removed', async (t) => {
  const value = { prompt: 'p', extra: null }
  t.equal((compileValidator(forms.prompt)(value) as { value: unknown }).value, value)
  t.strictSame(value, { prompt: 'p', extra: null })
})

t.test('known fields are never coerced', async (t) => {
  t.match(compileValidator(forms.prompt)({ prompt: 'p', maxTokens: '5' }), {
    error: { type: 'invalid-request', faults: [{ pointer: '/maxTokens', detail: 'must be an integer of at least 1' }] },
  })
})

const cases: [name: string, body: unknown, pointer: string, detail: string][] = [
  ['no form', {}, '', 'must have exactly one of prompt, entries, session; it has none of them'],
  [
    'two forms',
    { prompt: 'p', entries: [] },
    '',
    'must have exactly one of prompt, entries, session; it has prompt and entries',
  ],
  ['no object', [], '', 'must be a JSON object'],
  ['null', null, '', 'must be a JSON object'],
  ['a fault of the form that was meant', { prompt: 5 }, '/prompt', 'must be a string'],
]

for (const [name, body, pointer, detail] of cases)
  t.test(`a body with several forms: ${name} is told once`, async (t) => {
    t.match(compileForms(forms)(body), { error: { type: 'invalid-request', faults: [{ pointer, detail }] } })
  })
