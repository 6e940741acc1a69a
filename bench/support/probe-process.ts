import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sendBytes } from './send-bytes.ts'

/** A process that checks a service until it is told to end, and then sends how long each answer has taken, in milliseconds. */
const PROBE_MS = 5

const [, , url = ''] = process.argv
const agent = new Agent({ keepAlive: true })
const times: number[] = []
const done = new AbortController()
process.once('message', () => {
  done.abort()
})
process.send?.('ready')
while (!done.signal.aborted) {
  times.push(await sendBytes(`${url}/healthz`, { agent }))
  await wait(PROBE_MS)
}
agent.destroy()
process.send?.(times, () => {
  process.disconnect()
})
