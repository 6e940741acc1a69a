import { OpenAI } from 'openai'
import { MAX_TIMER_MS } from '../../runtime/abort.ts'
import { createPooledFetch, keepErrorBodies } from './client.ts'

/** The address of a model server, and the key for it. */
export interface ServerAccess {
  baseUrl: string
  apiKey: string | undefined
}

/** Turns off the SDK's time-out, which is ten minutes from a call's start: the deadline ends calls. */
const NEVER_MS = MAX_TIMER_MS

/** Returns what finds the client of a server. All candidates of one server share their connections. */
export function createServerClients(fetch = createPooledFetch()): (server: ServerAccess) => OpenAI {
  const clients = new Map<string, OpenAI>()
  return (server) => {
    const key = JSON.stringify([server.baseUrl, server.apiKey])
    const client = clients.get(key) ?? createClient(server, fetch)
    clients.set(key, client)
    return client
  }
}

/**
 * Creates the SDK's client. It makes no retries: ours are counted and end at the deadline. Every option that the SDK
 * would read from the environment is set, so that no other key or account reaches the server; the SDK requires some
 * key.
 */
const createClient = ({ baseUrl, apiKey = 'none' }: ServerAccess, fetch: typeof globalThis.fetch): OpenAI =>
  new OpenAI({
    apiKey,
    organization: null,
    project: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: keepErrorBodies(fetch),
  })
