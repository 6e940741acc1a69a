import { nameOf } from '../agents/shared/session-file.ts'
import type { LocatedSession } from './locate-sessions.ts'
import { commonLength } from '../recall/short-ids.ts'

/** Shorter beginnings of ids are likely mistakes. */
const SHORTEST_BEGINNING = 4

/** The least characters of an id that are shown. */
const SHORT_ID = 8

const namesOf = ({ id, path }: LocatedSession): string[] => (path === undefined ? [id] : [id, nameOf(path)])

/** Returns the sessions that a text names: those whose whole name it is, otherwise those whose names begin with it. */
export function sessionsNamed(text: string, all: readonly LocatedSession[]): LocatedSession[] {
  const exact = all.filter((one) => namesOf(one).includes(text))
  if (exact.length > 0 || text.length < SHORTEST_BEGINNING) return exact
  return all.filter((one) => namesOf(one).some((name) => name.startsWith(text)))
}

interface Name {
  text: string
  session: LocatedSession
}

/**
 * Returns what names each session: the beginning of its id, of one length for all; its path if another session has this id.
 * Each is long enough for `sessionsNamed` to find this session alone.
 */
export function shownIds(all: readonly LocatedSession[]): Map<LocatedSession, string> {
  const names = all.flatMap((session) => namesOf(session).map((text): Name => ({ text, session })))
  names.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
  const shared = new Map(
    names.flatMap((name, at) => (name.text === name.session.id ? [[name.session, sharedLength(names, at)]] : [])),
  )
  const isAmbiguous = ({ id }: LocatedSession): boolean => sessionsNamed(id, all).length > 1
  const own = all.filter((session) => !(shared.get(session) === session.id.length && isAmbiguous(session)))
  const length = Math.max(SHORT_ID, ...own.map((session) => (shared.get(session) ?? 0) + 1))
  const withId = new Set(own)
  return new Map(
    all.map((session) => [session, withId.has(session) ? session.id.slice(0, length) : (session.path ?? session.id)]),
  )
}

/** Returns how many characters the name at an index shares with the name of another session: its neighbours share the most. */
function sharedLength(names: readonly Name[], at: number): number {
  const { text = '', session } = names[at] ?? {}
  const lengths = [-1, 1].map((step) => {
    let other = at + step
    while (names[other]?.session === session && session !== undefined) other += step
    return commonLength(text, names[other]?.text)
  })
  return Math.max(...lengths)
}
