import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs a minimal `node:http` proxy as a process, for comparison. Its argument: the upstream. */
const upstream = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

const server = createServer((incoming, outgoing) => {
  const { method, headers } = incoming
  const forwarded = request(upstream, { method, headers: { ...headers, host: upstream.host }, agent }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  incoming.pipe(forwarded)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://127.0.0.1:${port}`)
})
