import { Problem } from '../errors.ts'
import { lookUpBriefly } from '../recall/look-up-briefly.ts'
import { QUOTED_NOTE } from '../recall/own-lookups.ts'
import type { Lookup } from '../recall/lookup.ts'
import { defined } from '../text/defined.ts'
import { SessionQuestion } from './ask-back.ts'
import { findSession } from './find-session.ts'
import type { McpHost } from './host.ts'
import { KnownSessions, type KnownSession } from './known-session.ts'
import { writeOutline } from './write-outline.ts'
import { quoteName } from './quote.ts'
import { TOOLS, withoutEmpty, type ToolCall } from './tools.ts'
import { writeCounts, writePassages } from './write-passages.ts'

export function openAnswers(host: McpHost): (call: ToolCall) => string {
  const known = new KnownSessions(host)
  return (given) => {
    const call = { ...given, args: withoutEmpty(given.args, TOOLS[given.name]) }
    try {
      const session = known.open(findSession({ call, host, known }))
      return answerFrom(session, call)
    } catch (error) {
      if (error instanceof SessionQuestion) return error.message
      throw error instanceof Problem ? new Error(describe(error), { cause: error }) : error
    }
  }
}

/** Returns the answer to a call from the session that it is about. @throws Problem */
export const answerFrom = (session: KnownSession, { name, args }: Pick<ToolCall, 'name' | 'args'>): string =>
  ANSWERS[name](session, args)

/** The arguments of a call, which the schema of its tool has checked. */
type Arguments = Lookup & { limit?: number }

type Answer = (session: KnownSession, args: Arguments) => string

const DEFAULT_PASSAGES = 8

/** Pages that cost a model not too much: there are more of them. */
const RECALL_TOKENS = 1200
const READ_TOKENS = 1500

const ANSWERS: Readonly<Record<ToolCall['name'], Answer>> = {
  recall(session, args) {
    const { query = '', kinds, tool, path, offset = 0, limit = DEFAULT_PASSAGES } = args
    const { before, after, order, scope } = args
    if (query.trim() === '' && [kinds, tool, path, before, after].every((one) => one === undefined))
      throw new Error('Say what to look up: `query`, or else `kinds`, `tool`, `path`, `before` or `after`.')
    const wanted = defined({ query, kinds, tool, path, before, after, order, scope, offset })
    const reply = lookUpBriefly(session, { ...wanted, maxTokens: RECALL_TOKENS, maxPassages: limit })
    const head = `${headOf(session)}\n${writeCounts(reply, query.trim() !== '')}`
    return writePassages(reply, session.timeline, { head, offset })
  },

  read_entries(session, { entryIds = [], around = 0, offset = 0, limit = DEFAULT_PASSAGES }) {
    const { known, unknown } = session.timeline.sortIds(entryIds)
    // With only unknown ids, the look-up says what an id is.
    const ids = known.length === 0 ? entryIds : known
    const reply = lookUpBriefly(session, { entryIds: ids, around, offset, maxTokens: READ_TOKENS, maxPassages: limit })
    const { note = reply.total > 0 ? '' : 'These entries have no text.' } = reply.searched
    const ends = describeEnds(session.timeline.reachBeyond(ids, around))
    const head = headOf(session) + describeUnknown(unknown) + (note && `\n${note}`) + ends
    return writePassages(reply, session.timeline, { head, offset })
  },

  outline: (session, { offset = 0, limit }) => writeOutline(session, { head: headOf(session), offset, limit }),
}

/** Names ids for which nothing is shown. */
function describeUnknown(ids: readonly string[]): string {
  if (ids.length === 0) return ''
  const names = ids.slice(0, MAX_NAMED).map((id) => quoteName(id, MAX_NAMED_CHARACTERS))
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ''
  return `\nNot found: this session has no entry ${names.join(', ')}${more}.`
}

const MAX_NAMED = 5
const MAX_NAMED_CHARACTERS = 60

/** Says that fewer neighbours are shown than asked for, because the session has no more entries. */
function describeEnds({ first, last }: { first: boolean; last: boolean }): string {
  if (first && last)
    return '\nThese reach from the first entry of the session to the last one: there are no others before or after.'
  if (first) return '\nThese begin with the first entry of the session: there is none before it.'
  return last ? '\nThese end with the last entry of the session: there is none after it.' : ''
}

function headOf({ stored: { agent, id }, unread }: KnownSession): string {
  const head = `Session ${quoteName(id)} of ${agent}. Lines that begin with "|" and texts ${QUOTED_NOTE}`
  const some = unread.slice(0, MAX_UNREAD).map((name) => quoteName(name))
  return some.length === 0 ? head : `${head}\nNot searched, because it could not be read: ${some.join(', ')}.`
}

/** Each name may be as long as a file's. */
const MAX_UNREAD = 3

/** Returns a problem in the words of the tools. */
const describe = ({ message, faults }: Problem): string =>
  [message, ...faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}.`)].join(' ')
