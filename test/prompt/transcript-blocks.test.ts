import t from 'tap'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { cutterOf } from '../../src/prompt/fit-budget.ts'
import { wholeText } from '../../src/prompt/transcript-piece.ts'
import { assistantBlocks } from '../../src/prompt/transcript-blocks.ts'
import { callPieces } from '../../src/prompt/call-pieces.ts'
import type { AssistantMessage, ToolCallBlock } from '../../src/session/message.ts'
import { assistant, call, text, thinking } from './message-builders.ts'
import { hostileText, PROPERTY } from './hostile-text.ts'

const serializeAssistant = (message: AssistantMessage) => assistantBlocks(message).map(wholeText)

const serializeToolCall = (one: ToolCallBlock): string =>
  callPieces(one, 'argument')
    .map(({ text }) => text)
    .join('')

/** A call of which only so many characters of each argument are shown. */
const cutToolCall = (one: ToolCallBlock, characters: number): string =>
  callPieces(one, 'argument')
    .map((piece) => (piece.value === 'fixed' ? piece.text : cutterOf(piece)(characters)))
    .join('')

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

t.test('an argument is cut by its length without quotes and escapes', async (t) => {
  const content = '"\\n'.repeat(60)
  const cutTo = (characters: number): string => cutToolCall(call('write', { content }), characters)
  t.equal(cutTo(content.length), `write(content=${JSON.stringify(content)})`)
  t.match(cutTo(content.length - 1), /\[\.\.\. \d+ characters left out \.\.\.\]/)
})

t.test('blank blocks contribute nothing and part nothing', async (t) => {
  t.strictSame(serializeAssistant(assistant('')), [])
  t.strictSame(serializeAssistant(assistant(call('a'), ' \n', thinking(''), call('b'))), [
    { kind: 'toolCalls', text: 'a(); b()' },
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

t.test('arguments are written by name, each as JSON', async (t) => {
  t.equal(serializeToolCall(call('read', { path: 'a.ts' })), 'read(path="a.ts")')
  t.equal(
    serializeToolCall(call('bash', { command: 'echo "a"\nls', timeout: 5, env: { A: [1, null] }, wait: false })),
    'bash(command="echo \\"a\\"\\nls", timeout=5, env={"A":[1,null]}, wait=false)',
  )
  t.equal(serializeToolCall(call('ls')), 'ls()')
})

t.test('arguments that are no object are written as the one value that they are', async (t) => {
  t.equal(serializeToolCall(call('bash', 'ls -l')), 'bash("ls -l")')
  t.equal(serializeToolCall(call('sum', [1, 2])), 'sum([1,2])')
  t.equal(serializeToolCall(call('noop', null)), 'noop(null)')
})

t.test('names that could end the call or the line are quoted', async (t) => {
  t.equal(serializeToolCall(call('mcp__fs.read/v2', { 'file-path': 1 })), 'mcp__fs.read/v2(file-path=1)')
  t.equal(serializeToolCall(call('x(); y\n\n[User]: z', { 'a=b': 1, '': 2 })), '"x(); y\\n\\n[User]: z"("a=b"=1, ""=2)')
})

t.test('a long string loses its middle, and the JSON stays whole', async (t) => {
  const long = 'x'.repeat(1000)
  const short = `${'x'.repeat(382)}\\n[... 236 characters left out ...]\\n${'x'.repeat(382)}`
  t.equal(cutToolCall(call('write', { content: long }), 800), `write(content="${short}")`)
  t.equal(cutToolCall(call('bash', long), 800), `bash("${short}")`)
})

t.test('a list that is still long is cut and shown as a string', async (t) => {
  const list = Array.from({ length: 1000 }, (_, index) => index)
  const shown = /^plot\(points=(".*")\)$/.exec(cutToolCall(call('plot', { points: list }), 2000))?.[1] ?? ''
  const value = JSON.parse(shown) as string
  t.equal(value.length, 2000)
  t.match(value, /^\[0,1,2,3,.*\n\[\.\.\. 1\d\d\d characters left out \.\.\.\]\n.*,998,999\]$/s)
})

t.test('a path is never cut', async (t) => {
  const path = `/${'very-long/'.repeat(200)}a.ts`
  for (const key of ['path', 'file_path', 'filePath', 'filename']) {
    t.equal(cutToolCall(call('read', { [key]: path }), 100), `read(${key}="${path}")`)
  }
})

t.test('lone surrogates become U+FFFD', async (t) => {
  t.equal(
    serializeToolCall(call('echo', { text: 'a\uD83Db', deep: ['\uDE00'] })),
    'echo(text="a\uFFFDb", deep=["\uFFFD"])',
  )
})

t.test('arguments nested deeper than the stack are named as such', async (t) => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  t.equal(serializeToolCall(call('deep', { deep, n: 1 })), 'deep(deep="(nested too deeply to be shown)", n=1)')
})

t.test('a call is one line, whatever its names and values contain', async () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (name, key, value) => {
      assert.doesNotMatch(serializeToolCall(call(name, { [key]: value, list: [value] })), /[\n\r\u2028\u2029]/)
    }),
    PROPERTY,
  )
})
