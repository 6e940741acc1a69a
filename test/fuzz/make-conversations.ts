import { gzipSync } from 'node:zlib'
import type { Random } from '../../bench/support/create-random.ts'
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { mutateBytes } from './mutate-bytes.ts'
import { splitBytes } from './split-bytes.ts'

/** The largest body that the service of these conversations accepts. */
export const BODY_LIMIT = 20_000

/** One request, with the statuses of its replies; or broken bytes, after which anything may be refused. */
export interface Sent {
  bytes: Buffer
  /** Without them, the bytes are broken. */
  statuses?: number[]
  /** What is sent once `100 Continue` has arrived. */
  afterContinue?: Buffer
  /** Whether it is the last request: the service closes the connection after it. */
  closes?: boolean
  /** Its reply has no body. */
  isHead?: boolean
}

/** What a client sends over one connection, and what it does then. */
export interface Conversation {
  sent: Sent[]
  /** Splits the bytes of a request into pieces with pauses between them. */
  split: (bytes: Buffer) => { bytes: Buffer; pauseMs: number }[]
  /**
   * `wait`: reads all replies, then closes; `half-close`: closes its sending side, and reads; `close` and `reset`: does not
   * wait for replies; `deaf`: does not read, and closes later.
   */
  ending: 'wait' | 'half-close' | 'close' | 'reset' | 'deaf'
}

const BODY = JSON.stringify(PROMPT_EXAMPLE)
const PROMPT = Buffer.from(BODY)
const ZIPPED = gzipSync(PROMPT)
const LARGE = Buffer.alloc(BODY_LIMIT + 1, 'x')

/** Bytes that cannot be compressed: the rest of them is unread when they are refused. */
const LARGE_ZIPPED = gzipSync(Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index * 7919) >> 9)))

const JSON_TYPE = 'Content-Type: application/json\r\n'
const head = (line: string, headers = ''): string => `${line}\r\nHost: localhost\r\n${headers}\r\n`
const post = (body: Buffer, headers = JSON_TYPE, path = '/compaction'): Buffer =>
  Buffer.concat([Buffer.from(head(`POST ${path} HTTP/1.1`, `${headers}Content-Length: ${body.length}\r\n`)), body])
const chunked = (chunks: string, path = '/compaction'): Buffer =>
  Buffer.from(head(`POST ${path} HTTP/1.1`, `${JSON_TYPE}Transfer-Encoding: chunked\r\n`) + chunks)

/** Returns a body in chunks of random sizes, perhaps with extensions and a trailer. */
function toChunks(random: Random): string {
  let chunks = ''
  for (let at = 0; at < BODY.length;) {
    const piece = BODY.slice(at, at + random.integer(1, BODY.length))
    chunks += `${Buffer.byteLength(piece).toString(16)}${random.pick(['', ';a=b', ''])}\r\n${piece}\r\n`
    at += piece.length
  }
  return `${chunks}0\r\n${random.pick(['', 'X-Trailer: a\r\n'])}\r\n`
}

const get = (line: string, statuses: number[], headers = ''): Sent => ({
  bytes: Buffer.from(head(line, headers)),
  statuses,
})

/** Requests that the service understands, right or wrong. */
const COMPLETE: readonly ((random: Random) => Sent)[] = [
  () => get('GET /healthz HTTP/1.1', [200]),
  () => get('GET http://localhost/healthz HTTP/1.1', [200]),
  // Node drops what arrives together with a request to upgrade, so nothing comes after it.
  () => ({
    ...get('GET /healthz HTTP/1.1', [200], 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'),
    closes: true,
  }),
  () => get('GET /healthz HTTP/1.1', [400], 'Host: localhost\r\n'),
  () => get('GET /healthz HTTP/1.1', [200], 'X-A: 1\r\nX-A: 2\r\nAccept: a\r\nAccept: b\r\n'),
  () => get('GET /healthz HTTP/1.1', [417], 'Expect: tea\r\n'),
  () => ({ ...get('HEAD /healthz HTTP/1.1', [200]), isHead: true }),
  () => get('OPTIONS /compaction HTTP/1.1', [405]),
  () => get('OPTIONS * HTTP/1.1', [404]),
  () => get('TRACE / HTTP/1.1', [405]),
  () => get('DELETE /compaction HTTP/1.1', [405]),
  () => ({ bytes: Buffer.from('GET /healthz HTTP/1.1\r\n\r\n'), statuses: [400] }),
  () => ({ ...get('GET /healthz HTTP/1.0', [200]), closes: true }),
  () => ({ ...get('GET /healthz HTTP/1.1', [200], 'Connection: close\r\n'), closes: true }),
  () => ({ bytes: post(PROMPT), statuses: [200] }),
  () => ({ bytes: post(PROMPT, `${JSON_TYPE}Accept: text/event-stream\r\n`), statuses: [200] }),
  () => ({ bytes: post(ZIPPED, `${JSON_TYPE}Content-Encoding: gzip\r\n`), statuses: [200] }),
  (random) => ({ bytes: chunked(toChunks(random)), statuses: [200] }),
  (random) => ({ bytes: chunked(toChunks(random), '/nowhere'), statuses: [404] }),
  () => ({ bytes: post(PROMPT.subarray(0, 20)), statuses: [400] }),
  () => ({ bytes: post(ZIPPED.subarray(0, 60), `${JSON_TYPE}Content-Encoding: gzip\r\n`), statuses: [400] }),
  () => ({ bytes: post(PROMPT, `${JSON_TYPE}Content-Encoding: gzip\r\n`), statuses: [400] }),
  () => ({ bytes: post(PROMPT, `${JSON_TYPE}Content-Encoding: zip\r\n`), statuses: [415] }),
  () => ({ bytes: post(PROMPT, 'Content-Type: image/png\r\n'), statuses: [200] }),
  () => ({ bytes: post(LARGE), statuses: [413] }),
  () => ({ bytes: chunked(`30d40\r\n${'x'.repeat(200_000)}\r\n0\r\n\r\n`), statuses: [413] }),
  () => ({ bytes: post(gzipSync(LARGE), `${JSON_TYPE}Content-Encoding: gzip\r\n`), statuses: [413] }),
  () => ({ bytes: post(LARGE_ZIPPED, 'Content-Type: image/png\r\nContent-Encoding: gzip\r\n'), statuses: [413] }),
  () => ({ bytes: post(LARGE_ZIPPED, `${JSON_TYPE}Content-Encoding: gzip\r\n`), statuses: [413] }),
  () => ({ bytes: post(LARGE, 'Content-Type: image/png\r\n', '/nowhere'), statuses: [404] }),
  () => ({ bytes: post(PROMPT, `${JSON_TYPE}Expect: 100-continue\r\n`), statuses: [100, 200] }),
  () => {
    const whole = post(PROMPT, `${JSON_TYPE}Expect: 100-continue\r\n`)
    return { bytes: whole.subarray(0, -PROMPT.length), afterContinue: PROMPT, statuses: [100, 200] }
  },
]

/** Bytes that make the rest of a connection unreadable, so that the service closes it. */
const BROKEN: readonly ((random: Random) => string | Buffer)[] = [
  () => 'this is no request\r\n\r\n',
  () => '\0\0\0\0\r\n\r\n',
  () => head('GET /healthz HTTP/3.9'),
  () => head('GET /healthz'),
  () => head('BREW /healthz HTTP/1.1'),
  () => head('CONNECT a:443 HTTP/1.1'),
  () => head('GET /healthz HTTP/1.1', `X-Flood: ${'x'.repeat(100_000)}\r\n`),
  () => head('GET /healthz HTTP/1.1', 'X-Flood: x\r\n'.repeat(3000)),
  () => head('GET /healthz HTTP/1.1', 'X-Null: a\0b\r\n'),
  () => head('GET /healthz HTTP/1.1', 'X Space: a\r\n'),
  () => head('POST /compaction HTTP/1.1', `${JSON_TYPE}Content-Length: 5\r\nContent-Length: 6\r\n`),
  () => head('POST /compaction HTTP/1.1', `${JSON_TYPE}Content-Length: -5\r\n`),
  () => head('POST /compaction HTTP/1.1', `${JSON_TYPE}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`),
  () => head('POST /compaction HTTP/1.1', `${JSON_TYPE}Transfer-Encoding: chunked, zip\r\n`),
  () => Buffer.concat([post(PROMPT), Buffer.from('}}}}\r\n\r\n')]),
  (random) => chunked(`${random.pick(['ZZ', '-1', 'fffffffffffffffff', ''])}\r\n${BODY}\r\n0\r\n\r\n`),
  (random) => chunked(`3\r\n${BODY}\r\n`, random.pick(['/compaction', '/nowhere'])),
  () => chunked(`1;${'a'.repeat(50_000)}\r\n{\r\n0\r\n\r\n`),
]

/** Makes a conversation: up to five complete requests, and mostly something broken behind them. */
export function makeConversation(random: Random): Conversation {
  const sent = Array.from({ length: random.integer(0, 5) }, () => random.pick(COMPLETE)(random))
  const last = sent.findIndex(({ closes }) => closes === true)
  if (last >= 0) sent.length = last + 1
  else if (random.next() < 0.6) sent.push(makeBroken(random))
  const isSlow = random.next() < 0.5
  return {
    sent,
    split: (bytes) => (isSlow ? splitBytes(bytes, random) : [{ bytes, pauseMs: 0 }]),
    ending: random.next() < 0.6 ? 'wait' : random.pick(['half-close', 'close', 'reset', 'deaf']),
  }
}

/** A request that is cut off or changed may be one that the service waits for: only the others must end the connection. */
function makeBroken(random: Random): Sent {
  const chance = random.next()
  if (chance < 0.6) return { bytes: Buffer.from(random.pick(BROKEN)(random)), closes: true }
  const { bytes } = random.pick(COMPLETE)(random)
  if (chance < 0.8) return { bytes: bytes.subarray(0, random.integer(1, bytes.length - 1)) }
  return { bytes: mutateBytes(bytes, random) }
}
