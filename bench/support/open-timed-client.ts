import { Agent, request } from 'node:http'

export interface TimedClient {
  /**
   * Posts a JSON body.
   * @returns milliseconds from the first byte that is sent to the last one that comes
   * @throws Error where the answer is not 200
   */
  post: (url: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<number>
  close: () => void
}

/** A client that keeps its connections open, as the callers of a service do. */
export function openTimedClient(): TimedClient {
  const agent = new Agent({ keepAlive: true })
  return {
    post: (url, body, headers = {}) => post(agent, { url, bytes: Buffer.from(body), headers }),
    close: () => {
      agent.destroy()
    },
  }
}

interface Posted {
  url: string
  bytes: Buffer
  headers: Readonly<Record<string, string>>
}

function post(agent: Agent, { url, bytes, headers }: Posted): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const all = { 'content-type': 'application/json', 'content-length': bytes.length, ...headers }
    const asking = request(url, { method: 'POST', agent, headers: all }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode ?? 0}.`))
      response.resume()
      response.on('end', () => {
        resolve(performance.now() - start)
      })
    })
    asking.on('error', reject)
    asking.end(bytes)
  })
}
