import t from 'tap'
import { createEventParser, readEvents, type ServerEvent } from '../../src/text/read-events.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A stream of chunks, and whether it was cancelled. */
function streamOf(...chunks: readonly Uint8Array[]) {
  const left = [...chunks]
  const state = { isCancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(chunk)
      },
      cancel() {
        state.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, state, left }
}

async function read(...chunks: readonly Uint8Array[]): Promise<ServerEvent[]> {
  const events = []
  for await (const event of readEvents(streamOf(...chunks).stream)) events.push(event)
  return events
}

const readText = (text: string): Promise<ServerEvent[]> => read(bytesOf(text))

/** A byte order mark, comments, all line ends, several lines of data, and characters of two, three and four bytes. */
const STREAM =
  '\uFEFF: hello\n\nevent: plan\r\ndata: {"a":"é€😀"}\r\n\r\n:\n\n:\r\revent: result\rdata: 1\r: between\rdata: 2\r\rdata\n\nretry: 5\ndata:x\n\n'

const EVENTS = [
  { event: 'plan', data: '{"a":"é€😀"}' },
  { event: 'result', data: '1\n2' },
  { event: 'message', data: '' },
  { event: 'message', data: 'x' },
]

t.test('chunks that are cut at any byte give the same events', async (t) => {
  const bytes = bytesOf(STREAM)
  for (let at = 0; at <= bytes.length; at++)
    t.same(await read(bytes.subarray(0, at), bytes.subarray(at)), EVENTS, `cut at byte ${at}`)
  for (const size of [1, 2, 3, 5, 8]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    t.same(await read(...chunks), EVENTS, `chunks of ${size} bytes`)
  }
})

t.test('each line end of the standard ends a line, and no other character does', async (t) => {
  for (const end of ['\n', '\r', '\r\n'])
    t.same(await readText(['event: a', 'data: 1', 'data: 2', '', ''].join(end)), [{ event: 'a', data: '1\n2' }])
  t.same(await readText('data: 1\r\n\ndata: 2\n\r\n'), [
    { event: 'message', data: '1' },
    { event: 'message', data: '2' },
  ])
  t.same(await readText('data: a\u2028b\u0085c\fd\n\n'), [{ event: 'message', data: 'a\u2028b\u0085c\fd' }])
})

t.test('a line end of two bytes is one, also with a chunk between them, and with an empty one', async (t) => {
  const chunks = ['data: 1\r', '', '\n', 'data: 2\r', '\n\r', '\n'].map(bytesOf)
  t.same(await read(...chunks), [{ event: 'message', data: '1\n2' }])
})

t.test('an event that a line feed completes is there before the next chunk', async (t) => {
  const parse = createEventParser()
  t.same(parse(bytesOf('data: 1\r\n\r')), [{ event: 'message', data: '1' }])
  t.same(parse(bytesOf('\ndata: 2\n\n')), [{ event: 'message', data: '2' }])
})

t.test('of a value, one space at its beginning is left out', async (t) => {
  t.same(await readText('event:a \ndata:  1 \n\n'), [{ event: 'a ', data: ' 1 ' }])
})

t.test('events without data, unknown fields and an event that is not complete are left out', async (t) => {
  t.same(await readText('event: a\n\ndata: 1\n\n'), [{ event: 'message', data: '1' }])
  t.same(await readText('foo: 1\nid: 2\ndatax: 3\ndata: 1\n\n'), [{ event: 'message', data: '1' }])
  t.same(await readText('data: 1\n'), [])
  t.same(await readText(''), [])
})

t.test('a consumer that stops cancels the stream, and nothing else of it is read', async (t) => {
  const source = streamOf(...['data: 1\n\ndata: 2\n\n', 'data: 3\n\n'].map(bytesOf))
  for await (const { data } of readEvents(source.stream)) {
    t.equal(data, '1')
    break
  }
  t.same([source.state, source.left.length, source.stream.locked], [{ isCancelled: true }, 1, false])
})

t.test('a consumer that fails cancels the stream, and its error is not replaced', async (t) => {
  const source = streamOf(bytesOf('data: 1\n\n'))
  const consume = async (): Promise<void> => {
    for await (const { data } of readEvents(source.stream)) throw new Error(`of the consumer, at ${data}`)
  }
  await t.rejects(consume(), new Error('of the consumer, at 1'))
  t.same(source.state, { isCancelled: true })
})

t.test('a source that never finishes its cancellation does not stop the consumer', async (t) => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytesOf('data: 1\n\n'))
    },
    cancel: () => new Promise(() => undefined),
  })
  for await (const { data } of readEvents(stream)) {
    t.equal(data, '1')
    break
  }
})

t.test('an error of the stream is thrown after the events before it', async (t) => {
  const chunks = [bytesOf('data: 1\n\n')]
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk === undefined) controller.error(new TypeError('terminated'))
        else controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  const events: ServerEvent[] = []
  const consume = async (): Promise<void> => {
    for await (const event of readEvents(stream)) events.push(event)
  }
  await t.rejects(consume(), new TypeError('terminated'))
  t.same(events, [{ event: 'message', data: '1' }])
})

/** Texts that come in small chunks, and are hostile if what came before is read again for each of them. */
const HOSTILE: Readonly<Record<string, string>> = {
  'one long line of data': 'x',
  'many lines of data': 'data: x\n',
  'many comments': ':\n',
  'many empty lines': '\n',
  'many returns': '\r',
  'many events': 'data: x\n\n',
  'many names without a colon': 'data\n',
}

const CHUNK_BYTES = 256

for (const [name, part] of Object.entries(HOSTILE))
  t.test(`${name}: the CPU time grows as the text does`, async (t) => {
    const parseAll = (bytes: Uint8Array): void => {
      const parse = createEventParser()
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) parse(bytes.subarray(at, at + CHUNK_BYTES))
    }
    const [short, long] = [2 ** 18, 2 ** 20].map((size) => bytesOf(`data: ${part.repeat(size / part.length)}\n\n`))
    const texts = { short: short ?? bytesOf(''), long: long ?? bytesOf('') }
    t.ok(growthOf({ work: parseAll, ...texts, measurableMs: 100 }) <= MAX_GROWTH)
  })
