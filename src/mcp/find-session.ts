import { realPath } from '../agents/shared/session-file.ts'
import { askBack, SessionQuestion } from './ask-back.ts'
import { findCaller, isReadable, type Search } from './find-caller.ts'
import type { McpHost, StoredSession } from './host.ts'
import { quoteName } from './quote.ts'

/**
 * Returns the session that a call is about: the one that it names, or else the one that makes it. It is never guessed.
 * @throws SessionQuestion, or Error if there is no such session
 */
export function findSession(search: Search): StoredSession {
  const { session } = search.call.args
  try {
    return typeof session === 'string' && session.trim() !== '' ? findNamed(session.trim(), search) : findCaller(search)
  } catch (cause) {
    const unread = search.host.unread()
    if (unread.length === 0 || !(cause instanceof Error)) throw cause
    const some = unread.slice(0, MAX_UNREAD).map((place) => quoteName(place))
    const more = unread.length > some.length ? ` and ${unread.length - some.length} more` : ''
    const Kind = cause instanceof SessionQuestion ? SessionQuestion : Error
    throw new Kind(`${cause.message}\nNot searched, because it could not be read: ${some.join(', ')}${more}.`, {
      cause,
    })
  }
}

/** More folders and files that cannot be read are only counted. */
const MAX_UNREAD = 5

function findNamed(text: string, { host, known }: Search): StoredSession {
  const found = (isPath(text) ? atPath(text, host) : host.named(text, listFor(text, host))).filter((one) =>
    isReadable(one, host),
  )
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first !== undefined) throw askBack(`Several sessions are called ${quoteName(text)}.`, found, known)
  throw new Error(
    host.isForAllProjects
      ? `There is no session ${quoteName(text)}. Leave out \`session\`, or give the whole id.`
      : `There is no session ${quoteName(text)} of this folder (${quoteName(host.folder)}). Leave out \`session\`, or ` +
          'give the whole id. Sessions of other folders are not read.',
  )
}

const isPath = (text: string): boolean => /[/\\]/.test(text)

const atPath = (path: string, { listFiles }: McpHost): StoredSession[] => {
  const real = realPath(path)
  return listFiles().filter((one) => one.path !== undefined && realPath(one.path) === real)
}

const listFor = (text: string, { listFiles, listDatabaseWith }: McpHost): StoredSession[] =>
  listDatabaseWith(text) ?? listFiles()
