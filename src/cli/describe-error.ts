import { PrecisError } from '../client/client.ts'
import { ADD_FORMAT, BEFORE_END, EMPTY_BODY, NO_FORM, NO_JSON_LINE, SEE_ERRORS } from '../errors.ts'
import { FORMAT_IDS } from '../schemas/format-ids.ts'
import { CliError, EXIT } from './exit.ts'

interface Described {
  /** The exit code. */
  code: number
  message: string
}

/** Returns what a user of the command line reads about an error, and the exit code. */
export function describeError(error: unknown): Described {
  if (error instanceof CliError) return error
  if (error instanceof PrecisError) return describeNoSession(error) ?? describeProblem(error)
  // The fetch API throws it, with the fault as its cause.
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { code: EXIT.service, message: `The service cannot be reached: ${describeCause(error.cause)}` }
  return { code: EXIT.failed, message: error instanceof Error ? error.message : String(error) }
}

const FORMATS = `Known formats are ${FORMAT_IDS.join(', ')}.`

/** The words of the service about a body whose format is unknown. */
const UNKNOWN_FORMAT = /The format of the session is unknown: the body is ([^.]*)\./

/** What the service found out about the bytes of a body that is not JSON: what its user can know. */
const ENCODING = / It is (?:UTF-16|compressed \(\w+\))\./

/**
 * Returns what is said of a file that is no session: its user has most likely given a document, a program or a picture, or a file
 * that is not whole. The service speaks of a body, which a user has not sent.
 */
function describeNoSession({ message, errors }: PrecisError): Described | undefined {
  const code = EXIT.notFound
  const isNot = (fault: string, remedy = ''): Described => ({
    code,
    message: `This is no session file that Précis knows: ${fault}. \`precis list\` shows the sessions of your agents. ${FORMATS}${remedy}`,
  })
  const [, seen] = UNKNOWN_FORMAT.exec(message) ?? []
  if (seen !== undefined) return isNot(`it is ${seen}`, ' If it is one of them, add `--format` and its name.')
  if (message.includes(NO_FORM)) return isNot('it is a JSON object without a field of a known format')
  if (message.includes(EMPTY_BODY)) return { code, message: 'The session is empty.' }
  if (message.includes(BEFORE_END)) {
    const [end = ''] = /\bends at [^.]*/.exec(message) ?? []
    return { code, message: `This is no whole session file: it ${end}. Give the whole file.` }
  }
  if (message.includes(NO_JSON_LINE) && errors.length > 0) {
    const [encoding = ''] = ENCODING.exec(message) ?? []
    return isNot(`no line of it is JSON${encoding.slice(0, -1).replace(' It', ', and it')}`)
  }
  return undefined
}

/** What a user of the command line can do about a problem. */
const REMEDIES: Readonly<Record<string, string>> = {
  'nothing-to-compact': ' (--keep TOKENS)',
  'nothing-gained': ' (--keep TOKENS)',
  'token-refused': ' Set PRECIS_TOKENS to a token of this service.',
}

/** Problems of a session that cannot be read. */
const UNREADABLE = ['unknown-format', 'invalid-session']

/** What a client of the service can do about a session without messages: its user cannot. */
const SEND_MESSAGES = / Send (?:a session with messages|messages of the user or the assistant|a transcript)\./

function describeProblem({ type, status, errors, message }: PrecisError): Described {
  if (SEND_MESSAGES.test(message)) return { code: EXIT.nothingToCompact, message: message.replace(SEND_MESSAGES, '') }
  const places = errors.map(({ pointer, detail }) => `\n  ${pointer} ${detail}`).join('')
  // The faults are printed below: no user has to look for a field `errors`.
  const text = message
    .replace(SEE_ERRORS, '')
    .replace(ADD_FORMAT, 'add `--format` and its name')
    .replace(/\bThe (?:request )?body\b/, 'The session')
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
