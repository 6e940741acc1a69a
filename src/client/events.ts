/** One event of a stream: its name, and its data as JSON. */
export interface ServerEvent {
  event: string
  data: string
}

/** Yields the events of a stream (WHATWG HTML, "Server-sent events"), in the subset that the service writes. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
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

async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // A result is one line of many chunks: they are joined once, at its end.
  let parts: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    for (const other of others) {
      yield withoutReturn(parts.join(''))
      parts = [other]
    }
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
