import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sendBytes } from './send-bytes.ts'

const PROBE_MS = 5

/**
 * Asks every 5 ms whether a service lives, while it has work to do.
 * @returns how long each of the answers took, in milliseconds
 */
export async function probeHealth(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true }) // the probe waits for nothing of its own
  const times: number[] = []
  const done = new AbortController()
  const probing = (async () => {
    while (!done.signal.aborted) {
      times.push(await sendBytes(`${url}/healthz`, { agent }))
      await wait(PROBE_MS)
    }
  })()
  await work().finally(() => {
    done.abort()
  })
  await probing
  agent.destroy()
  return times
}
