import { request, type Agent } from 'node:http'

interface Sending {
  /** Left out for a GET request. */
  body?: Buffer
  agent?: Agent
  /** Headers in addition to those of the body. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request, with a JSON body if one is given.
 * @returns milliseconds from the first byte that is sent to the last one that arrives
 * @throws where the status is not 200
 */
export function sendBytes(url: string, { body, agent, headers = {} }: Sending = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const bodyHeaders = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
    const method = body === undefined ? 'GET' : 'POST'
    const context = request(
      url,
      { method, headers: { ...bodyHeaders, ...headers }, ...(agent === undefined ? {} : { agent }) },
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
