import { Readable } from 'node:stream'
import { filled } from '../agents/shared/values.ts'
import { createClient, type Client, type ClientOptions, type Fetch } from '../client/client.ts'
import { passwordOf } from '../client/login.ts'
import type { Environment } from '../environment.ts'
import type { buildLocalApp, LocalOptions } from '../local-app.ts'
import { PRESET_NAMES } from '../presets.ts'
import type { Settings } from '../settings.ts'
import { otherNamesIn } from '../start-warnings.ts'
import { isHttpAddress } from '../text/host-name.ts'
import { variablesFor } from '../variables.ts'
import type { Commands } from './commands-that-write.ts'
import { SETTING_NAMES, settingNamed } from './config/settings-table.ts'
import { CliError } from './exit.ts'
import { proveService } from './prove-service.ts'

/** Enough for each session that Node can read at once. */
const LARGEST_BODY_BYTES = 1_073_741_824

/** Longer than all retries of a model take; a user can stop the command. */
export const LONGEST_MS = 1_800_000

export interface ServiceChoice {
  /** A running service; absent: the same code in this process. */
  url?: string | undefined
  /** Whether the service must prove what it is without a token, too: no user sees to whom a hook sends a session. */
  mustProve?: boolean
  /** The model that writes, in this process; absent: the embedded summarizer. */
  model?: string | undefined
  /** The commands that write, instead of a model server. */
  commands?: Commands | undefined
  env: Environment
  /** Services that are added to the application in this process. */
  local?: LocalOptions
}

/** A client, and what ends it. */
export interface Service {
  client: Client
  close: () => Promise<void>
}

/**
 * Returns a client of a running service, or of the same code in this process: it opens no port. A service proves that it knows our token
 * before it gets the token or anything of a session.
 * @throws CliError
 */
export async function openService(choice: ServiceChoice): Promise<Service> {
  const { url, model, commands, env } = choice
  if (url === undefined) return openOwnService(choice)
  if (commands !== undefined)
    throw new CliError('usage', '--with and --url exclude each other: the service has its model.')
  if (model !== undefined)
    throw new CliError('usage', '--model and --url exclude each other: the service has its model.')
  if (!isHttpAddress(url))
    throw new CliError('usage', `--url must be an address such as http://127.0.0.1:8080, not "${url}".`)
  const own = ownToken(env)
  const client = openClient({ url, ...(own !== undefined && { token: own }) })
  const token = own ?? filled(passwordOf(new URL(url)))
  if (token !== undefined || choice.mustProve === true) await proveService(url, token, own === undefined)
  return { client, close: async () => undefined }
}

/** Opens a service for one piece of work, and returns what that returns. @throws CliError, and what the work throws */
export async function withService<T>(choice: ServiceChoice, work: (client: Client) => Promise<T>): Promise<T> {
  const { client, close } = await openService(choice)
  try {
    return await work(client)
  } finally {
    await close()
  }
}

const ownToken = (env: Environment): string | undefined => filled(env['PRECIS_TOKENS']?.split(',')[0]?.trim())

/** @throws CliError where the client refuses an option, in the words of the command line */
function openClient(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const message = cause.message.replace('`url`', '--url').replace('`token`', 'PRECIS_TOKENS')
    throw new CliError('usage', message, { cause })
  }
}

/**
 * Builds the application of the service in this process.
 * @param tokens service tokens; default: none
 */
export async function buildOwnApp(
  { commands, env, local, ...choice }: Omit<ServiceChoice, 'url'>,
  tokens: readonly string[] = [],
): ReturnType<typeof buildLocalApp> {
  // Beside commands, it names the model of one.
  const model = commands === undefined ? choice.model : undefined
  // Loaded only if a command needs them: --help and `list` without a session would wait for them.
  const [{ buildLocalApp: build }, { readSettings }] = await Promise.all([
    import('../local-app.ts'),
    import('../settings.ts'),
  ])
  const read = inOwnWords(() => readSettings(variablesOf({ model, commands, env })))
  const settings = commands === undefined ? read : withCommands(read, commands)
  if (model !== undefined && settings.model === undefined)
    throw new CliError(
      'usage',
      [
        `--model needs a model server: set OPENAI_API_KEY or ${ownName('OPENAI_BASE_URL')}, or use --model ${presetNames()}.`,
        ...otherNamesIn(env),
      ].join(' '),
    )
  return build({ ...settings, tokens: [...tokens] }, { ...local, commands })
}

async function openOwnService(choice: ServiceChoice): Promise<Service> {
  const app = await buildOwnApp(choice)
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

const presetNames = (): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(PRESET_NAMES.map((name) => `${name}:NAME`))

/** Runs what reads the settings. Its errors name the option where they name the variable, and the setting of the configuration file. */
function inOwnWords(read: () => Settings): Settings {
  try {
    return read()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('usage', message.replace(/\b[A-Z]+_[A-Z_]+\b/g, ownName), { cause })
  }
}

function ownName(variable: string): string {
  if (variable === 'PRECIS_MODEL') return '--model'
  const setting = SETTING_NAMES.find((name) => settingNamed(name).variable === variable)
  return setting === undefined ? variable : `${variable} (or "${setting}" in the configuration file)`
}

/** Returns settings with commands as candidates, one at a time: each is a program of some hundred megabytes. */
const withCommands = (settings: Settings, commands: Commands): Settings => ({
  ...settings,
  modelConcurrency: 1,
  model: {
    candidates: Object.keys(commands).map((model) => ({ model, contextWindow: settings.contextWindow })),
  },
})

/** The variables of model servers. A command has its own. */
const OF_SERVERS = /^OPENAI_|_API_KEY$/

/** Other variables are for servers: a mistake in one of them must not stop a command. */
function variablesOf({ model, commands, env }: Pick<ServiceChoice, 'model' | 'commands' | 'env'>): Environment {
  const isWritten = model !== undefined || commands !== undefined
  const names = variablesFor('summaries', ...(isWritten ? (['models'] as const) : [])).filter(
    (name) => commands === undefined || !OF_SERVERS.test(name),
  )
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
