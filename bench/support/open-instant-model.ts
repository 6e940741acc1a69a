import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '## Goal\nThe importer skips rows.' } },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
})

export interface InstantModel {
  /** Its base URL, without a path. */
  url: string
  close: () => void
}

/**
 * Opens a model server on 127.0.0.1 that answers every request at once, with the same completion.
 * @param onAsked called when a whole request has arrived
 */
export async function openInstantModel(onAsked: () => void = () => undefined): Promise<InstantModel> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    incoming.on('end', () => {
      onAsked()
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) })
      outgoing.end(ANSWER)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
