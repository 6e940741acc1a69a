import { OpenAI } from 'openai'
import { serverOf, type ModelSettings } from '../../model-settings.ts'
import { MAX_TIMER_MS } from '../../runtime/abort.ts'
import type { SummaryCommand } from '../commands/command.ts'
import { createCommandEndpoint } from '../commands/command-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { keepErrorBodies, createPooledFetch } from './client.ts'

export interface EndpointSettings extends Omit<ModelSettings, 'candidates'> {
  /** The commands that write, by the names of their candidates. */
  commands?: Readonly<Record<string, SummaryCommand>>
}

/** Turns off the SDK's time-out, which is ten minutes from a call's start: the deadline ends calls. */
const NEVER_MS = MAX_TIMER_MS

/** Returns what finds the endpoint of a candidate. Those of one server share their connections. */
export function createEndpoints(
  { commands = {}, ...settings }: EndpointSettings,
  fetch = createPooledFetch(),
): (model: string) => Endpoint {
  const running = new Map(Object.entries(commands).map(([model, command]) => [model, createCommandEndpoint(command)]))
  const clients = new Map<string, OpenAI>()
  return (model) => {
    const command = running.get(model)
    if (command !== undefined) return command
    const { baseUrl, apiKey, id } = serverOf(model, settings)
    const key = JSON.stringify([baseUrl, apiKey])
    const client = clients.get(key) ?? createClient({ baseUrl, apiKey, fetch })
    clients.set(key, client)
    return {
      host: URL.parse(baseUrl)?.host ?? 'unknown',
      complete: (request, { signal, headers }) =>
        client.chat.completions.create({ ...request, model: id }, { signal, headers }),
    }
  }
}

/**
 * Creates the SDK's client. It makes no retries: ours are counted and end at the deadline. Every option that the SDK
 * would read from the environment is set, so that no other key or account reaches the server; the SDK requires some
 * key.
 */
const createClient = ({
  baseUrl,
  apiKey = 'none',
  fetch,
}: {
  baseUrl: string
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
}): OpenAI =>
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
