import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { ToolCallBlock } from '../../src/session/message.ts'
import { callPieces } from '../../src/prompt/call-pieces.ts'
import { parseToolCalls, findDelimiter, findJsonEnd } from '../../src/session/parse-tool-calls.ts'
import { hostileText, PROPERTY } from '../prompt/hostile-text.ts'

const writeCall = (call: ToolCallBlock): string =>
  callPieces(call, 'argument')
    .map(({ text }) => text)
    .join('')

t.test('calls and their named JSON arguments are read', async (t) => {
  t.strictSame(parseToolCalls('read(path="a.ts"); edit(path="b.ts", n=3)'), [
    { name: 'read', arguments: { path: 'a.ts' } },
    { name: 'edit', arguments: { path: 'b.ts', n: 3 } },
  ])
  t.strictSame(parseToolCalls('x(a=true, b=null, c=-1.5e3, d=[1,{"e":"f"}], g={"h":[]}, i="")'), [
    { name: 'x', arguments: { a: true, b: null, c: -1500, d: [1, { e: 'f' }], g: { h: [] }, i: '' } },
  ])
})

t.test('strings may hold all that the syntax is made of', async (t) => {
  t.strictSame(parseToolCalls(String.raw`bash(command="echo \"a\"; b(c=\"d\", e)\n[x", timeout=5); ls()`), [
    { name: 'bash', arguments: { command: 'echo "a"; b(c="d", e)\n[x', timeout: 5 } },
    { name: 'ls', arguments: {} },
  ])
})

t.test('values without a name are read', async (t) => {
  t.strictSame(parseToolCalls('bash("ls -l"); sum([1,2]); noop(null); none({}); two("a", 2); mixed("a", b=2)'), [
    { name: 'bash', arguments: 'ls -l' },
    { name: 'sum', arguments: [1, 2] },
    { name: 'noop', arguments: null },
    { name: 'none', arguments: {} },
    { name: 'two', arguments: { '0': 'a', '1': 2 } },
    { name: 'mixed', arguments: { '0': 'a', b: 2 } },
  ])
})

t.test('quoted names are read', async (t) => {
  t.strictSame(parseToolCalls(String.raw`"my \"tool\" (x)"("a=b"=1, ""="c")`), [
    { name: 'my "tool" (x)', arguments: { 'a=b': 1, '': 'c' } },
  ])
})

t.test('what another client may write is read as well as can be', async (t) => {
  const cases: [text: string, calls: { name: string; arguments: unknown }[]][] = [
    ['', []],
    ['nothing was called; really', []],
    ['read (path="a")', []],
    ['I call read(path="a.ts") now.', [{ name: 'read', arguments: { path: 'a.ts' } }]],
    ['read( path = "a.ts" ,n = 3 )', [{ name: 'read', arguments: { path: 'a.ts', n: 3 } }]],
    [
      'a(x=1)\nb(y=2)',
      [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: { y: 2 } },
      ],
    ],
    ['read(path=src/a.ts, n=3)', [{ name: 'read', arguments: { path: 'src/a.ts', n: 3 } }]],
    ['read(path="a.ts" + "b", n=3)', [{ name: 'read', arguments: { path: 'a.ts', n: 3 } }]],
    ['read(path="a.ts', [{ name: 'read', arguments: { path: 'a.ts' } }]],
    ['read(path=', [{ name: 'read', arguments: { path: '' } }]],
    ['read(path=, n=1)', [{ name: 'read', arguments: { path: '', n: 1 } }]],
    ['read(', [{ name: 'read', arguments: {} }]],
    ['read(path="a\nb")', [{ name: 'read', arguments: { path: 'a\nb' } }]],
    ['edit(edits=[{"a":1)', [{ name: 'edit', arguments: { edits: '[{"a":1)' } }]],
    [';;,, read(,,path="a",,);', [{ name: 'read', arguments: { path: 'a' } }]],
    [')(="', []],
  ]
  for (const [text, calls] of cases) t.strictSame(parseToolCalls(text), calls, encodeURI(text))
})

t.test('an argument may have any name', async (t) => {
  const [call] = parseToolCalls('x(__proto__={"a":1}, constructor=2)')
  t.strictSame(Object.entries(call?.arguments as object), [
    ['__proto__', { a: 1 }],
    ['constructor', 2],
  ])
})

t.test('whatever text comes, it does not throw', async () => {
  const pieces = fc.constantFrom('read', '(', ')', '"', '\\', '=', ',', ';', '[', '{', '}', ']', ' ', '\n', '1', "'")
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, hostileText), { maxLength: 20 }), (parts) => {
      for (const { name } of parseToolCalls(parts.join(''))) assert.notEqual(name, '')
    }),
    PROPERTY,
  )
})

t.test('calls that were serialized are read back as they were', async () => {
  const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
  const args = fc.oneof(fc.dictionary(fc.string({ unit: 'grapheme' }), json), json)
  const name = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(fc.array(fc.record({ name, arguments: args }), { maxLength: 4 }), (calls) => {
      const text = calls.map((call) => writeCall({ type: 'toolCall', id: 'c', ...call })).join('; ')
      assert.deepEqual(JSON.parse(JSON.stringify(parseToolCalls(text))), JSON.parse(JSON.stringify(calls)))
    }),
    PROPERTY,
  )
})

t.test('a megabyte of broken calls is read in one pass', async (t) => {
  const counts: [piece: string, calls: number][] = [
    ['a', 0],
    ['a ', 0],
    ['(', 0],
    ['"', 0],
    ['a(', 1],
    ['a(b=', 1],
    ['a([', 1],
    ['a(b="', 1],
    ['a();', 250_000],
    ['a   ', 0],
  ]
  for (const [piece, calls] of counts) {
    t.equal(parseToolCalls(piece.repeat(1_000_000 / piece.length)).length, calls, piece)
  }
  t.equal(parseToolCalls(`a(${'b'.repeat(1_000_000)})`).length, 1)
  t.equal(parseToolCalls(`a(b=${'['.repeat(1_000_000)})`).length, 1)
})

t.test('the end of a JSON value is found', async (t) => {
  const cases: [text: string, value: string][] = [
    ['"a", b', '"a"'],
    ['"a\\"), b"; c', '"a\\"), b"'],
    ['"\\\\", b', '"\\\\"'],
    ['{"a":"}","b":[1,{}]}, c', '{"a":"}","b":[1,{}]}'],
    ['[[1],["]"]])', '[[1],["]"]]'],
    ['12, b', '12'],
    ['true)', 'true'],
    [', b', ''],
  ]
  for (const [text, value] of cases) t.equal(text.slice(0, findJsonEnd(text, 0)), value, text)
})

t.test('a value that is not closed goes on to the end', async (t) => {
  for (const text of ['"a, b', '"a\\', '"a\\"', '[1, 2', '{"a": "b}', '12 13', '']) {
    t.equal(findJsonEnd(text, 0), text.length, text)
  }
})

t.test('a delimiter is the next comma or closing parenthesis', async (t) => {
  t.equal(findDelimiter('ab,c)', 0), 2)
  t.equal(findDelimiter('ab,c)', 3), 4)
  t.equal(findDelimiter('ab', 0), 2)
})

t.test('a value that is nested too deeply has a note in its place', async (t) => {
  const nest = (depth: number, inner: string): string => '['.repeat(depth) + inner + ']'.repeat(depth)
  const [call] = parseToolCalls(`a(b=${nest(100_000, '1')})`)
  t.equal(JSON.stringify(call), `{"name":"a","arguments":{"b":${nest(200, '"(nested too deeply)"')}}}`)
})
