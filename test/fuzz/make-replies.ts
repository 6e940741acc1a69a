import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Random } from '../../bench/support/create-random.ts'
import { REQUIRED_SECTIONS } from '../../src/prompt/templates.ts'
import { FAULTS } from '../support/model-replies.ts'
import { completion } from '../support/model-server.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateValue } from './mutate-value.ts'
import { splitBytes } from './split-bytes.ts'
import { FUZZ_KEY } from './watch-log.ts'

/** What a model server sends for one call: bytes in pieces, with pauses of some milliseconds between them. */
export interface RawReply {
  pieces: { bytes: Buffer; pauseMs: number }[]
  /** What it does then. Only a reply whose length is right may keep its connection. */
  ending: 'keep' | 'end' | 'reset' | 'hang'
  /** What must not be logged. */
  content: string
}

const SUMMARY = REQUIRED_SECTIONS.history
  .map((heading) => `${heading}\n- The parser in src/parser.ts is fixed, and the lexer is next.`)
  .join('\n\n')
const SECRET_ERROR = `Upstream refused the key ${FUZZ_KEY} for the prompt that it was sent.`

/** Completions, errors and other JSON, before they are changed. */
const SEEDS: readonly unknown[] = [
  completion({ text: SUMMARY }),
  completion({ text: SUMMARY }),
  completion({ text: SUMMARY }),
  completion({ text: '## Goal\nFix the lexer.' }),
  completion({ text: `<think>I must be exact.</think>\n\`\`\`markdown\n${SUMMARY}\n\`\`\`` }),
  completion({ message: { content: [{ type: 'text', text: SUMMARY }], reasoning_content: 'Hm.' } }),
  completion({ text: 'Half of it', finishReason: 'length' }),
  completion(FAULTS.toolCall),
  completion(FAULTS.refused),
  completion({ text: SUMMARY, usage: { prompt_tokens: 1e308, completion_tokens: 0.5, total_tokens: -1 } }),
  { error: { message: SECRET_ERROR, type: 'server_error', code: 429 } },
  { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } },
  { error: { message: "Unsupported parameter: 'max_completion_tokens'", param: 'max_completion_tokens' } },
  { detail: [{ loc: ['body', 'max_tokens'], msg: 'supports at most 100 completion tokens', input: SECRET_ERROR }] },
]

const STATUSES = [201, 204, 206, 299, 300, 304, 400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 451, 499]
const ERRORS = [...STATUSES, 500, 501, 502, 503, 504, 529, 599, 600, 999]
const REDIRECTS = [301, 302, 303, 307, 308]
const LOCATIONS = [
  '',
  '/v1/other',
  '//example.invalid/',
  'http://example.invalid/v1',
  'javascript:0',
  'http://[',
  '\u00ff',
]
const TYPES = ['text/html', 'text/plain', 'text/event-stream', 'application/json; charset=utf-16', 'x', '', ';;;']
const ENCODINGS = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip', (bytes: Buffer) => bytes],
] as const
/** More than the service reads of a reply. */
const BOMB = gzipSync(Buffer.alloc(8 * 2 ** 20, ' '))
const HEADERS = [
  'Retry-After: 86400',
  'Retry-After: -1',
  'Retry-After: Fri, 31 Dec 9999 23:59:59 GMT',
  'retry-after-ms: 1e400',
  'Set-Cookie: a=b\r\nSet-Cookie: c=d',
  'Content-Encoding: identity, gzip',
  'Content-Encoding: zstd',
  'Trailer: x',
  `X-Request-Id: ${FUZZ_KEY}`,
  `X-Large: ${'x'.repeat(20_000)}`,
  'Upgrade: websocket\r\nConnection: upgrade',
  'Bad Header',
]

/** Makes a reply: a valid completion, or one that is broken in its structure, its bytes, its head or its framing. */
export function makeReply(random: Random): RawReply {
  const value = random.next() < 0.65 ? hostileText(mutateValue(random.pick(SEEDS), random), random) : random.pick(SEEDS)
  const json = Buffer.from(value === undefined ? '' : JSON.stringify(value))
  const text = random.next() < 0.25 ? mutateBytes(json, random) : json
  const { bytes, isExact } = frame(encode(text, random), random)
  const whole = random.next() < 0.08 ? mutateBytes(bytes, random) : bytes
  const isTrue = isExact && whole === bytes
  const ending = random.next() < 0.05 ? random.pick(['reset', 'hang'] as const) : isTrue ? 'keep' : 'end'
  return { pieces: splitBytes(whole, random), ending, content: text.toString() }
}

/** Some texts are very long, or of one kind that code must not take long for. */
function hostileText(value: unknown, random: Random): unknown {
  if (random.next() < 0.95) return value
  const part = random.pick([
    'x',
    '- ',
    '<think>',
    '<read-files>\n',
    '```\n',
    '## Goal\n',
    '😀',
    '{"a":[',
    '\u200b',
    'a.ts ',
  ])
  const nested = '['.repeat(random.integer(1, 30_000))
  return completion({ text: random.next() < 0.2 ? nested : part.repeat(random.integer(1, 40_000)) })
}

interface Encoded {
  body: Buffer
  headers: string[]
}

function encode(body: Buffer, random: Random): Encoded {
  const type = `Content-Type: ${random.next() < 0.8 ? 'application/json' : random.pick(TYPES)}`
  const others = random.next() < 0.1 ? [random.pick(HEADERS)] : []
  if (random.next() < 0.85) return { body, headers: [type, ...others] }
  const [encoding, compress] = random.pick(ENCODINGS)
  const packed = random.next() < 0.05 ? BOMB : compress(body)
  const broken = random.next() < 0.4 ? mutateBytes(packed, random) : packed
  return { body: broken, headers: [type, `Content-Encoding: ${encoding}`, ...others] }
}

/** Puts a head before a body. `isExact` is true if a client can find the end of the reply. */
function frame({ body, headers }: Encoded, random: Random): { bytes: Buffer; isExact: boolean } {
  const head = [...statusLines(random), ...headers]
  const write = (lines: string[], content: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${[...head, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), content])
  switch (random.integer(0, 9)) {
    case 0: {
      const length = random.pick([0, body.length - 1, body.length + 1, body.length * 2, -1, 1e20])
      return { bytes: write([`Content-Length: ${length}`], body), isExact: false }
    }
    case 1:
      return { bytes: write(['Connection: close'], body), isExact: false }
    case 2:
    case 3:
      return { bytes: write(['Transfer-Encoding: chunked'], chunked(body, random)), isExact: false }
    default:
      return { bytes: write([`Content-Length: ${body.length}`], body), isExact: true }
  }
}

function statusLines(random: Random): string[] {
  const chance = random.next()
  if (chance < 0.6) return ['HTTP/1.1 200 OK']
  if (chance < 0.7) return [`HTTP/1.1 ${random.pick(REDIRECTS)} Moved`, `Location: ${random.pick(LOCATIONS)}`]
  if (chance < 0.75) return ['HTTP/1.1 103 Early Hints', 'Link: </x>', '', 'HTTP/1.1 200 OK']
  if (chance < 0.97) return [`HTTP/1.1 ${random.pick(ERRORS)} ${random.pick(['', 'No', FUZZ_KEY, '\u00e9'])}`]
  return [random.pick(['HTTP/1.1 abc', 'HTTP/9.9 200 OK', 'ICY 200 OK', '', 'HTTP/1.1 200'])]
}

/** Writes a body in chunks, some of whose sizes are wrong. */
function chunked(body: Buffer, random: Random): Buffer {
  const parts = splitBytes(body, random).map(({ bytes }) => {
    const size = random.next() < 0.03 ? random.pick(['zz', '-1', 'ffffffffffffffff', '1']) : bytes.length.toString(16)
    return Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')])
  })
  return Buffer.concat([...parts, Buffer.from(random.next() < 0.9 ? '0\r\n\r\n' : '0\r\nX: y\r\n\r\n')])
}
