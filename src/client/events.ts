import { fromConnection } from './retry.ts'

/** One event of a stream: its name, and its data as JSON. */
export interface ServerEvent {
  event: string
  data: string
}

/** Yields the events of a stream (WHATWG HTML, "Server-sent events"), in the subset that the service writes. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of readLines(stream)) {
    if (line.startsWith('event:')) event = line.slice('event:'.length).trim()
    else if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart())
    else if (line === '' && data.length > 0) {
      yield { event, data: data.join('\n') }
      event = ''
      data = []
    }
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // A result is one line of many chunks: they are joined once, at its end.
  let parts: string[] = []
  for await (const chunk of readChunks(stream)) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    for (const other of others) {
      yield withoutReturn(parts.join(''))
      parts = [other]
    }
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** Not all browsers can iterate over a stream. */
async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await fromConnection(reader.read())
      if (done) return
      yield value
    }
  } finally {
    // After the result, nothing else is read.
    await reader.cancel().catch(() => undefined)
  }
}
