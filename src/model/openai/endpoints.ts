import type { OpenAI } from 'openai'
import { serverOf, type ModelSettings } from '../../model-settings.ts'
import type { SummaryCommand } from '../commands/command.ts'
import { createCommandEndpoint } from '../commands/command-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import type { ServerAccess } from './server-clients.ts'

export interface EndpointSettings extends Omit<ModelSettings, 'candidates'> {
  /** The commands that write, by the names of their candidates. */
  commands?: Readonly<Record<string, SummaryCommand>>
}

/** Returns what finds the endpoint of a candidate. @param fetch default: over connections of its own */
export function createEndpoints(
  { commands = {}, ...settings }: EndpointSettings,
  fetch?: typeof globalThis.fetch,
): (model: string) => Endpoint {
  const running = new Map(Object.entries(commands).map(([model, command]) => [model, createCommandEndpoint(command)]))
  const clientOf = loadClients(fetch)
  return (model) => {
    const command = running.get(model)
    if (command !== undefined) return command
    const { baseUrl, apiKey, id } = serverOf(model, settings)
    return {
      host: URL.parse(baseUrl)?.host ?? 'unknown',
      complete: async (request, { signal, headers }) => {
        const client = await clientOf({ baseUrl, apiKey })
        return client.chat.completions.create({ ...request, model: id }, { signal, headers })
      },
    }
  }
}

/** Loads the SDK with the first call: it takes 0.14 s of processor, and a command with a prepared summary makes no call. */
function loadClients(fetch: typeof globalThis.fetch | undefined): (server: ServerAccess) => Promise<OpenAI> {
  let clients: Promise<(server: ServerAccess) => OpenAI> | undefined
  return async (server) => {
    clients ??= import('./server-clients.ts').then(({ createServerClients }) => createServerClients(fetch))
    return (await clients)(server)
  }
}
