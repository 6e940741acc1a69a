/** One event of an event stream (WHATWG HTML, "Server-sent events"), as the service writes it: one line of data. */
export interface ServiceEvent {
  event: string
  data: string
}

/** Yields the events of a response as they arrive. Comments, which keep the connection open, are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServiceEvent> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readBlock(block)
      if (event !== undefined) yield event
    }
  }
}

function readBlock(block: string): ServiceEvent | undefined {
  const match = /^event: (.*)\ndata: /.exec(block)
  return match === null ? undefined : { event: match[1] ?? '', data: block.slice(match[0].length) }
}
