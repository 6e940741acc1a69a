import t from 'tap'
import { serializeAssistant } from '../../src/prompt/serialize-assistant.ts'
import { assistant, call, text, thinking } from './message-builders.ts'

t.test('blocks keep their order, and neighbours of one kind become one block', async (t) => {
  const message = assistant(
    thinking('Look first.'),
    'I read it.',
    text('And more.'),
    call('read', { path: 'a.ts' }),
    call('bash', { command: 'npm test', timeout: 5 }),
    { type: 'image' },
    'Done.',
  )
  t.strictSame(serializeAssistant(message), [
    { kind: 'thinking', text: 'Look first.' },
    { kind: 'assistant', text: 'I read it.\nAnd more.' },
    { kind: 'toolCalls', text: 'read(path="a.ts"); bash(command="npm test", timeout=5)' },
    { kind: 'assistant', text: '[Image]\nDone.' },
  ])
})

t.test('blank blocks contribute nothing and part nothing', async (t) => {
  t.strictSame(serializeAssistant(assistant('')), [])
  t.strictSame(serializeAssistant(assistant(call('a'), ' \n', thinking(''), call('b'))), [
    { kind: 'toolCalls', text: 'a(); b()' },
  ])
})

t.test('long thinking keeps its beginning and its end, and long text stays whole', async (t) => {
  const long = 'x'.repeat(5000)
  const shown = `${'x'.repeat(482)}\n[... 4036 characters left out ...]\n${'x'.repeat(482)}`
  t.strictSame(serializeAssistant(assistant(thinking(long), long)), [
    { kind: 'thinking', text: shown },
    { kind: 'assistant', text: long },
  ])
})

t.test('a message that an error or the user stopped says so', async (t) => {
  const cases: [stopReason: string, errorMessage: string | undefined, note: string][] = [
    ['error', '529 overloaded', '(stopped by an error: 529 overloaded)'],
    ['error', undefined, '(stopped by an error)'],
    ['error', ' ', '(stopped by an error)'],
    ['aborted', undefined, '(aborted)'],
    ['aborted', 'Request was aborted', '(aborted: Request was aborted)'],
  ]
  for (const [stopReason, errorMessage, note] of cases) {
    const message = { stopReason, ...(errorMessage === undefined ? {} : { errorMessage }) }
    t.strictSame(serializeAssistant({ ...assistant(), ...message }), [{ kind: 'assistant', text: note }])
    t.strictSame(serializeAssistant({ ...assistant('Half a'), ...message }), [
      { kind: 'assistant', text: `Half a\n${note}` },
    ])
  }
})

t.test('other stop reasons say nothing, even where an error message was left', async (t) => {
  for (const stopReason of ['stop', 'toolUse', 'length']) {
    t.strictSame(serializeAssistant({ ...assistant(), stopReason, errorMessage: 'old' }), [])
  }
})

t.test('a long error message loses its middle', async (t) => {
  const [block] = serializeAssistant({ ...assistant(), stopReason: 'error', errorMessage: 'e'.repeat(5000) })
  t.equal(
    block?.text,
    `(stopped by an error: ${'e'.repeat(482)}\n[... 4036 characters left out ...]\n${'e'.repeat(482)})`,
  )
})
