import { request, type Agent } from 'node:http'

interface Sending {
  /** Left out: asked for with GET. */
  body?: Buffer
  agent?: Agent
  /** Beside those that tell of the body. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request, a JSON body where there is one.
 * @returns milliseconds from the first byte that is sent to the last one that comes
 * @throws where another status than 200 comes
 */
export function sendBytes(url: string, { body, agent, headers = {} }: Sending = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const told = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
    const method = body === undefined ? 'GET' : 'POST'
    const context = request(
      url,
      { method, headers: { ...told, ...headers }, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        response.resume()
        response.on('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - start)
          else reject(new Error(`${url} answered ${response.statusCode ?? 0}.`))
        })
      },
    )
    context.on('error', reject)
    context.end(body)
  })
}
