import { Agent } from 'node:http'
import { sendBytes } from './send-bytes.ts'

export interface TimedClient {
  /**
   * Posts a JSON body.
   * @returns milliseconds from the first byte that is sent to the last one that arrives
   * @throws Error where the status is not 200
   */
  post: (url: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<number>
  close: () => void
}

/** Opens a client that keeps its connections open, as the callers of a service do. */
export function openTimedClient(): TimedClient {
  const agent = new Agent({ keepAlive: true })
  return {
    post: (url, body, headers = {}) => sendBytes(url, { body: Buffer.from(body), agent, headers }),
    close: () => {
      agent.destroy()
    },
  }
}
