import { Redis } from 'ioredis'
import { startTimer as startRealTimer, type StartTimer } from './abort.ts'

/** The Redis connection that several replicas share. It may fail at any time: then each replica works alone. */
export interface SharedMemory {
  client: Redis
  /** Returns whether Redis answers. While it does not, commands fail at once. */
  isUp: () => boolean
  /** Calls back each time that Redis is lost, or not found at first, and each time that it answers again. */
  onChange: (listener: (isUp: boolean) => void) => void
  close: () => void
}

/** The time limit of a command, and of silence while a command is open: a cache must not make requests slower. */
const TIMEOUT_MS = 250

const WAIT_STEP_MS = 200
const MAX_WAIT_MS = 5000

/** How ioredis words the time-outs of a command and of a silent socket, and Node that of a connection. */
const TIMED_OUT = /timed ?out|timeout/i

/**
 * Connects to Redis or Valkey, and reconnects in the background. Without a connection, commands fail at once.
 *
 * The connection is the circuit breaker for a server that hangs: after `TIMEOUT_MS` of silence it is closed, which fails
 * all open commands, and a new one is opened `MAX_WAIT_MS` later. The client is ready only when the server has answered
 * its INFO: this is the half-open probe, and no request waits for it.
 */
export function connectRedis(url: string, startTimer = startRealTimer, timeoutMs = TIMEOUT_MS): SharedMemory {
  const client = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    enableOfflineQueue: false,
    // `keepConnected` reconnects, with a timer that tests control.
    retryStrategy: () => null,
  })
  const stopReconnecting = keepConnected(client, startTimer)
  return {
    client,
    isUp: () => client.status === 'ready',
    onChange: (listener) => watch(client, listener),
    close: () => {
      stopReconnecting()
      client.disconnect()
    },
  }
}

function watch(client: Redis, listener: (isUp: boolean) => void): void {
  let wasUp = true
  const note = (isUp: boolean): void => {
    if (isUp !== wasUp) listener(isUp)
    wasUp = isUp
  }
  client.on('ready', () => note(true))
  client.on('end', () => note(false))
}

/** Reconnects whenever the connection has ended: after a wait that grows with each attempt. */
function keepConnected(client: Redis, startTimer: StartTimer): () => void {
  let isClosed = false
  let waitMs = WAIT_STEP_MS
  let stopTimer = (): void => undefined
  // An error event without a listener would end the process; `isUp` reports the state instead.
  client.on('error', ({ message }: Error) => {
    if (TIMED_OUT.test(message)) waitMs = MAX_WAIT_MS
  })
  client.on('ready', () => {
    waitMs = WAIT_STEP_MS
  })
  client.on('end', () => {
    if (isClosed) return
    stopTimer = startTimer(() => {
      client.connect().catch(() => undefined)
    }, waitMs)
    waitMs = Math.min(waitMs + WAIT_STEP_MS, MAX_WAIT_MS)
  })
  return () => {
    isClosed = true
    stopTimer()
  }
}
