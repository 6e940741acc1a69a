import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./probe-process.ts', import.meta.url))

/**
 * Checks every 5 ms whether a service responds, while it works. The checks are made by a process of their own: a large body that is
 * sent, which is copied first, would hold them up here.
 * @returns the time of each answer, in milliseconds
 */
export async function probeHealth(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const probe = fork(SCRIPT, [url])
  await once(probe, 'message')
  const answered = once(probe, 'message') as Promise<[times: number[]]>
  await work().finally(() => probe.send('end'))
  const [times] = await answered
  return times
}
