import { PrecisError } from '../client/client.ts'
import { BEFORE_END, EMPTY_BODY, NO_FORM, NO_JSON_LINE, withoutFault } from '../errors.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import { CliError, EXIT } from './exit.ts'

interface Described {
  /** The exit code. */
  code: number
  message: string
}

export interface CommandInput {
  /** The argument that names the session. */
  session?: string | undefined
  url?: string | undefined
  /** Whether a command writes, and no model server. */
  hasCommand?: boolean
  /** Whether an agent has started the command. */
  isHook?: boolean
}

/** Returns what the session of an argument is called in an error. */
export const nameOfArgument = (argument: string): string => (argument === '-' ? 'The session on stdin' : argument)

/** Returns what a user of the command line reads about an error, and the exit code. */
export function describeError(
  error: unknown,
  { session = '-', url, hasCommand = false }: CommandInput = {},
): Described {
  if (error instanceof CliError) return error
  if (error instanceof PrecisError)
    return (
      describeWrongUrl(error, url) ??
      describeNoSession(error, nameOfArgument(session)) ??
      describeProblem(error, { name: nameOfArgument(session), hasCommand })
    )
  // The fetch API throws it, with the fault as its cause.
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { code: EXIT.service, message: `${nameOfService(url)} cannot be reached: ${describeCause(error.cause)}` }
  return { code: EXIT.failed, message: error instanceof Error ? error.message : String(error) }
}

/** The address may have a password. */
const nameOfService = (url: string | undefined): string =>
  url === undefined ? 'The service' : `The service at ${URL.parse(url)?.origin ?? '--url'}`

/** Returns what is said of a 404 of an address with a path: it is likely that of a route, which the client adds itself. */
function describeWrongUrl({ status }: PrecisError, url: string | undefined): Described | undefined {
  const { pathname = '/', protocol = '', host = '' } = (url === undefined ? null : URL.parse(url)) ?? {}
  if (status !== 404 || pathname === '/') return undefined
  return {
    code: EXIT.service,
    message: `There is no service below the path ${pathname} of --url. Give only ${protocol}//${host}`,
  }
}

const FORMATS = `Known formats are ${FORMAT_IDS.join(', ')}.`

/** The words of the service about a body whose format is unknown. */
const UNKNOWN_FORMAT = /The format of the session is unknown: the body is ([^.]*)\./

/** Its words about a session that is not of the format that the user names. */
const NOT_OF_FORMAT = /The body has no message of the format ([\w-]+),/

/** The findings of the service about the bytes of a body that is not JSON. */
const ENCODING = / It is (UTF-16|compressed \(\w+\)|not text)\b/

/**
 * Returns what is said of a file that is no session: its user has most likely given a document, a program or a picture, or a file
 * that is not whole. The service speaks of a body, which a user has not sent.
 */
function describeNoSession({ message, errors }: PrecisError, name: string): Described | undefined {
  const code = EXIT.notFound
  const isNot = (fault: string, remedy = ''): Described => ({
    code,
    message: `${name} is no session file that Précis knows: ${fault}. \`precis list\` shows the sessions of your agents.${remedy}`,
  })
  const [, seen] = UNKNOWN_FORMAT.exec(message) ?? []
  if (seen !== undefined)
    return isNot(`it is ${seen}`, ` ${FORMATS} If it is one of them, add \`--format\` and its name.`)
  const [, format] = NOT_OF_FORMAT.exec(message) ?? []
  if (format !== undefined)
    return {
      code,
      message:
        `${name} is no session of the format ${format}: nothing in it is a message of this format. Leave out \`--format\`: ` +
        `Précis finds out itself which format it is. ${FORMATS}`,
    }
  if (message.includes(NO_FORM)) return isNot('it is a JSON object without a field of a known format', ` ${FORMATS}`)
  if (message.includes(EMPTY_BODY)) return { code, message: `${name} is empty.` }
  if (message.includes(BEFORE_END)) {
    const [end = ''] = /\bends at [^.]*/.exec(message) ?? []
    return { code, message: `${name} is no whole session file: it ${end}. Give the whole file.` }
  }
  if (message.includes(NO_JSON_LINE) && errors.length > 0) {
    const [, encoding] = ENCODING.exec(message) ?? []
    return encoding === undefined ? isNot('no line of it is JSON', ` ${FORMATS}`) : isNot(`it is ${encoding}`)
  }
  return undefined
}

/** The names of things in the service's errors, and those that a user of the command line knows. */
const WORDS: readonly (readonly [words: RegExp, own: string])[] = [
  [/\bThe (?:request )?body\b/g, 'The session'],
  [
    /\bask for (?:the JSON reply or )?`reply=text`(?:, or for `history`)?/g,
    'leave out `--write` (or `--reply native`)',
  ],
  [
    /\bAsk for (?:the JSON reply or )?`reply=text`(?:, or for `history`)?/g,
    'Leave out `--write` (or `--reply native`)',
  ],
  [/(?:[Tt]he query parameter )?`(?:settings\.)?keepRecentTokens`/g, '`--keep`'],
  [/(?:[Tt]he query parameter )?`(?:settings\.)?transcriptTokens`/g, '`--budget`'],
  [/(?:[Tt]he query parameter )?`(?:settings\.)?contextWindow`/g, '`--window`'],
  [/(?:[Tt]he query parameter )?`customInstructions`/g, '`--focus`'],
  [/`compaction=(\d+)`/g, '`--compaction $1`'],
  [/(?:[Tt]he query parameter )?`compaction`/g, '`--compaction`'],
  [/POST it to \/compaction for a summary\./g, '`precis compact` writes one.'],
  [/(?:[Tt]he query parameter )?`format`/g, '`--format`'],
]

/** Returns a detail of the service in the words of the command line. */
const inOwnWords = (detail: string): string => WORDS.reduce((text, [words, own]) => text.replace(words, own), detail)

/** The remedies of a user of the command line for problems. */
const REMEDIES: Readonly<Record<string, string>> = {
  'token-refused': ' Set PRECIS_TOKENS to a token of this service.',
}

const NOT_PREPARED =
  'No summary is prepared that this compaction can use at once. It belongs to its model, and keeps what --keep ' +
  'said: name the --model or --with, --budget, --focus and --keep of `precis watch`. Without `--prepared only`, a model is asked now.'

/** Problems whose detail says what their title says. */
const WITHOUT_TITLE = ['nothing-to-compact', 'nothing-to-compare', 'no-native-form', 'nothing-gained']

/** Problems of a session that cannot be read. */
const UNREADABLE = ['unknown-format', 'invalid-session']

/** The remedy of a client of the service for a session without messages: a user of the command line has none. */
const SEND_MESSAGES = / Send (?:a session with messages|messages of the user or the assistant|a transcript)\./

interface Told {
  /** The name of the session. */
  name: string
  hasCommand: boolean
}

function describeProblem(
  { type, status, errors, message, detail }: PrecisError,
  { name, hasCommand }: Told,
): Described {
  if (SEND_MESSAGES.test(detail))
    return {
      code: EXIT.nothingToCompact,
      message: detail.replace(SEND_MESSAGES, '').replace(/^The session\b/, () => name),
    }
  if (type === 'not-prepared') return { code: EXIT.nothingFound, message: NOT_PREPARED }
  const places = errors.map(({ pointer, detail }) => `\n  ${pointer} ${detail}`).join('')
  // The faults are printed below: no user has to look for a field `errors`.
  // The title of a failed model is about a server.
  const isWhole = WITHOUT_TITLE.includes(type) || (hasCommand && type === 'model-failed')
  const text = inOwnWords(withoutFault(isWhole ? detail : message, errors))
  const described = text + (REMEDIES[type] ?? '') + places
  if (type.startsWith('nothing-')) return { code: EXIT.nothingToCompact, message: described }
  if (UNREADABLE.includes(type)) return { code: EXIT.notFound, message: described }
  const isOurs = status === 400 || status === 413 || status === 415 || status === 422
  return { code: isOurs ? EXIT.failed : EXIT.service, message: described }
}

function describeCause(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as { code?: string; message?: string }
  const fault =
    // The fetch standard has a list of such ports ("port blocking").
    message === 'bad port' ? 'Node.js refuses to connect to this port, which belongs to another protocol' : message
  return `${code ?? fault}. Is it running, and is --url right?`
}
