import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sendBytes } from './send-bytes.ts'

const PROBE_MS = 5

/**
 * Checks every 5 ms whether a service responds, while it works.
 * @returns the time of each answer, in milliseconds
 */
export async function probeHealth(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true }) // a separate agent, so that the probe does not wait for the work
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
