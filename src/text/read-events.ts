/** One event of a stream: its name, `message` if it has none, and its data. */
export interface ServerEvent {
  event: string
  data: string
}

/**
 * Yields the events of a stream (WHATWG HTML, "Server-sent events"), except for `id` and `retry`, which serve to connect again.
 * When its consumer stops, the stream is cancelled.
 * @throws the error of the stream
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parse = createEventParser()
  // Safari cannot iterate over a stream.
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parse(value)
    }
  } finally {
    // Nothing waits for it: after the last event, the connection does not matter.
    reader.cancel().catch(() => undefined)
    reader.releaseLock()
  }
}

/** Returns a function that takes the chunks of a stream, and returns the events that each of them completes. */
export function createEventParser(): (chunk: Uint8Array) => ServerEvent[] {
  const decoder = new TextDecoder()
  const splitLines = createLineSplitter()
  let event = ''
  let data: string[] = []
  return (chunk) => {
    const events: ServerEvent[] = []
    for (const line of splitLines(decoder.decode(chunk, { stream: true })))
      if (line === '') {
        if (data.length > 0) events.push({ event: event === '' ? 'message' : event, data: data.join('\n') })
        event = ''
        data = []
      } else {
        const [name, value] = readField(line)
        if (name === 'event') event = value
        else if (name === 'data') data.push(value)
      }
    return events
  }
}

/** Returns the name and the value of a field; the name of a comment is empty. */
function readField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)]
}

/** Returns a function that takes the parts of a text, and returns the lines that each of them completes. */
function createLineSplitter(): (text: string) => string[] {
  // A result is one line of many chunks: they are joined once, at its end.
  let parts: string[] = []
  let isAfterReturn = false
  return (text) => {
    // A chunk may have nothing but the first bytes of a character.
    if (text === '') return []
    const [first = '', ...others] = text.slice(isAfterReturn && text.startsWith('\n') ? 1 : 0).split(/\r\n|\r|\n/)
    isAfterReturn = text.endsWith('\r')
    parts.push(first)
    return others.map((other) => {
      const line = parts.join('')
      parts = [other]
      return line
    })
  }
}
