import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, json } from 'node:stream/consumers'

/**
 * Runs a minimal service with its own request format as a process: it reads a `prompt`, writes a request for a chat
 * completion, and forwards the reply. Its argument: the upstream.
 */
const upstream = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { prompt, maxTokens } = (await json(incoming)) as { prompt: string; maxTokens: number }
  const completion = { model: 'm', messages: [{ role: 'user', content: prompt }], max_completion_tokens: maxTokens }
  const body = Buffer.from(JSON.stringify(completion))
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const context = request(upstream, { method: 'POST', headers, agent }, (response) => {
    void buffer(response).then((reply) => outgoing.writeHead(response.statusCode ?? 502, response.headers).end(reply))
  })
  context.end(body)
}

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://127.0.0.1:${port}`)
})
