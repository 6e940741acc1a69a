import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../src/errors.ts'
import { readFormData } from '../../src/ingest/parse-body.ts'

const part = (disposition: string, content: string, type = ''): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n${content}\r\n`

const read = (body: string, boundary = 'b') => {
  const { document, fields } = readFormData(Buffer.from(body, 'latin1'), boundary)
  return { document: document.toString('latin1'), fields }
}

/** Returns what the problem of a broken form says. */
function faultOf(body: string, boundary = 'b'): string {
  try {
    readFormData(Buffer.from(body), boundary)
  } catch (error) {
    if (error instanceof Problem && error.type === 'invalid-request') return error.message
  }
  return ''
}

t.test('the document is the part with a file name, and the other parts are fields', (t) => {
  const file = part(
    'name="upload"; filename="s.jsonl"',
    '{"a":1}\n{"b":2}\n',
    'Content-Type: application/octet-stream\r\n',
  )
  t.strictSame(read(`${part('name="keepRecentTokens"', '1')}${file}${part('name=details', 'full')}--b--\r\n`), {
    document: '{"a":1}\n{"b":2}\n',
    fields: { keepRecentTokens: '1', details: 'full' },
  })
  t.end()
})

t.test('without a file name, the part `session` is the document', (t) => {
  t.strictSame(read(`${part('name="other"', 'x')}${part('name="session"', '[1]')}--b--`), {
    document: '[1]',
    fields: { other: 'x' },
  })
  t.end()
})

t.test(
  'what the form of a request may have: a preamble, padding, escaped names, a repeated field, an empty part',
  (t) => {
    const body = [
      ...[
        'preamble\r\n--b  \r\ncontent-disposition: form-data; filename="a\\";name=\\"b.json"; name="s"\r\n\r\n\r\n--x\r\n',
      ],
      ...[part('name="__proto__"', 'p'), part('name="context"', 'one'), part('Name="context"', 'two')],
      ...[part('name="empty"', ''), '--b--epilogue'],
    ]
    const { document, fields } = read(body.join(''))
    t.equal(document, '\r\n--x')
    t.strictSame(Object.entries(fields), [
      ['__proto__', 'p'],
      ['context', ['one', 'two']],
      ['empty', ''],
    ])
    t.end()
  },
)

t.test('a document comes out byte for byte, whatever its bytes are', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const start = Buffer.from('--b\r\nContent-Disposition: form-data; name="a"; filename*=utf-8\'\'x\r\n\r\n')
      const { document } = readFormData(Buffer.concat([start, bytes, Buffer.from('\r\n--b--\r\n')]), 'b')
      return document.equals(bytes)
    }),
    { numRuns: 300, seed: 3 },
  )
  t.end()
})

t.test('a broken form is refused with its fault and the remedy', (t) => {
  const file = part('name="a"; filename="b"', '{}')
  t.match(faultOf(`${file}--b--`, ''), /has no boundary. Let the client set the header/)
  t.match(faultOf('{"entries":[]}'), /ends before its last boundary/)
  t.match(faultOf(file), /ends before its last boundary/)
  t.match(faultOf(`${part('name="keepRecentTokens"', '1')}--b--`), /no part has a file name or the name `session`/)
  t.match(faultOf(`${file}${file}--b--`), /it has 2 documents/)
  t.match(
    faultOf(`--b\r\nX: ${'x'.repeat(9000)}\r\n\r\n\r\n--b--`),
    /the header of part 1 has no end within 8192 bytes/,
  )
  t.match(faultOf(`${part('name="a"', '').repeat(101)}--b--`), /more than 100 parts/)
  t.end()
})
