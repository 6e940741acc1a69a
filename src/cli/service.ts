import { Readable } from 'node:stream'
import { createClient, type Client, type Fetch } from '../client/client.ts'
import type { Environment } from '../environment.ts'
import { otherNamesIn } from '../start-warnings.ts'
import { variablesFor } from '../variables.ts'
import { CliError } from './exit.ts'

/** Enough for each session that Node can read at once. */
const LARGEST_BODY_BYTES = 1_073_741_824

/** Longer than all retries of a model take; a user can stop the command. */
const LONGEST_MS = 1_800_000

interface ServiceChoice {
  /** A running service; absent: the same code in this process. */
  url?: string | undefined
  /** The model that writes, in this process; absent: the embedded summarizer. */
  model?: string | undefined
  env: Environment
}

/** A client, and what ends it. */
export interface Service {
  client: Client
  close: () => Promise<void>
}

/** Returns a client of a running service, or of the same code in this process: it opens no port. @throws CliError */
export async function openService({ url, model, env }: ServiceChoice): Promise<Service> {
  if (url === undefined) return openOwnService(model, env)
  if (model !== undefined)
    throw new CliError('usage', '--model and --url exclude each other: the service has its model.')
  if (!/^https?:\/\//i.test(url) || URL.parse(url) === null)
    throw new CliError('usage', `--url must be an address such as http://127.0.0.1:8080, not "${url}".`)
  const token = env['PRECIS_TOKENS']?.split(',')[0]?.trim()
  return {
    client: createClient({ url, ...(token !== undefined && token !== '' && { token }) }),
    close: async () => undefined,
  }
}

async function openOwnService(model: string | undefined, env: Environment): Promise<Service> {
  // Loaded only if a command needs them: --help and `list` without a session would wait for them.
  const [{ buildLocalApp }, { readSettings }] = await Promise.all([import('../local-app.ts'), import('../settings.ts')])
  const settings = readSettings(variablesOf(model, env))
  if (model !== undefined && settings.model === undefined)
    throw new CliError(
      'usage',
      ['--model needs a model server: set OPENAI_API_KEY or OPENAI_BASE_URL.', ...otherNamesIn(env)].join(' '),
    )
  const app = await buildLocalApp(settings)
  const fetch: Fetch = async (target, { headers, body }) => {
    const { pathname, search } = new URL(target)
    const url = pathname + search
    const payload = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const injected = await app.inject({ method: 'POST', url, headers, payload, payloadAsStream: true })
    const stream = Readable.toWeb(injected.stream()) as ReadableStream<Uint8Array>
    return new Response(stream, {
      status: injected.statusCode,
      headers: { 'content-type': String(injected.headers['content-type']), ...ownHeadersOf(injected.headers) },
    })
  }
  // The service itself repeats calls to its model.
  return { client: createClient({ url: 'http://localhost', fetch, retries: 0 }), close: () => app.close() }
}

/** Other variables are for servers: a mistake in one of them must not stop a command. */
function variablesOf(model: string | undefined, env: Environment): Environment {
  const names = variablesFor('summaries', ...(model === undefined ? [] : (['models'] as const)))
  return {
    PRECIS_DEADLINE_MS: String(LONGEST_MS),
    ...Object.fromEntries(names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]])),
    LOG_LEVEL: 'silent',
    PRECIS_BODY_LIMIT: String(LARGEST_BODY_BYTES),
    PRECIS_MIN_RATE: '0',
    PRECIS_CACHE_ENTRIES: '0',
    ...(model !== undefined && { PRECIS_MODEL: model }),
  }
}

/** Returns the headers that say what a reply in another form is. */
function ownHeadersOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-precis-'))
  return Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'string' ? value : '']))
}
