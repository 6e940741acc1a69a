import type { WorkState } from '../extract/work-item.ts'
import type { KnownSession } from './known-session.ts'
import { outlineSession, type OutlinedTurn, type SessionOutline } from './outline.ts'
import { MAX_ANSWER_CHARACTERS, quoteInLine, quoteName } from './quote.ts'

interface Page {
  head: string
  offset: number
  limit?: number | undefined
}

/** Room for the last line. */
const END_CHARACTERS = 200

/** Returns the outline of a session as text, a line for each request: as many as fit, and where the others begin. */
export function writeOutline(session: KnownSession, { head, offset, limit = Infinity }: Page): string {
  const { turns, ...outline } = readOutline(session)
  const writer = new OutlineWriter(session, { turns, ...outline })
  const lines: string[] = []
  let room = MAX_ANSWER_CHARACTERS - END_CHARACTERS - head.length
  let next = offset
  for (; next < turns.length && next - offset < limit; next++) {
    const line = writer.line(next)
    room -= line.length + 1
    if (room < 0 && lines.length > 0) break
    lines.push(line)
  }
  const more = next < turns.length ? `; call again with "offset": ${next}` : ''
  return `${head}\n\n${[...lines, `(${count(turns.length, 'request')} in all${more})`].join('\n')}`
}

function readOutline({ branch, ids, entries, runs }: KnownSession): SessionOutline {
  const places = new Map(ids.map((id, place) => [id, place]))
  const outlined = branch.map(({ id, compaction, message }) => {
    const place = places.get(id) ?? 0
    const isCompaction = compaction !== undefined || message?.role === 'compactionSummary'
    return { place, message: entries[place]?.message, isCompaction }
  })
  return outlineSession(outlined, runs)
}

const REQUEST_CHARACTERS = 160
const COMMIT_CHARACTERS = 80
const MAX_FILES = 5
const MAX_COMMITS = 3

/** What is known of the end of a request; nothing is said where nothing is known. */
const STATES: Readonly<Record<WorkState, string>> = {
  done: 'done',
  said: 'done, says the agent',
  answered: 'answered',
  replaced: 'replaced by a later request',
  open: 'open',
  unknown: '',
}

class OutlineWriter {
  readonly #session: Pick<KnownSession, 'ids' | 'timeline'>
  readonly #outline: SessionOutline

  constructor(session: Pick<KnownSession, 'ids' | 'timeline'>, outline: SessionOutline) {
    this.#session = session
    this.#outline = outline
  }

  /** Returns the line of a turn, with those of the compactions before it; of the last one, also with those after it. */
  line(index: number): string {
    const { turns, lastCompactions } = this.#outline
    const turn = turns[index]
    if (turn === undefined) return ''
    const earlier = turns.slice(0, index).reduce((sum, { compactions }) => sum + compactions.length, 0)
    const before = this.#compactions(turn.compactions, earlier)
    const after = index < turns.length - 1 ? [] : lastCompactions
    return [
      ...before,
      `${index + 1}. ${this.#turn(turn)}`,
      ...this.#compactions(after, earlier + turn.compactions.length),
    ].join('\n')
  }

  #compactions(places: readonly number[], earlier: number): string[] {
    return places.map((place, index) => `--- compaction:${earlier + index + 1}, entry ${this.#id(place)}`)
  }

  #turn({ request, state, first, last, modifiedFiles, commits, failures }: OutlinedTurn): string {
    const time = this.#session.timeline.timeOf(first)
    const entries = first === last ? `entry ${this.#id(first)}` : `entries ${this.#id(first)} to ${this.#id(last)}`
    const facts = [
      request === undefined ? 'before the first request' : quoteInLine(request, REQUEST_CHARACTERS),
      state === undefined ? '' : STATES[state],
      listed('changed', Array.from(modifiedFiles, quoteName), MAX_FILES),
      listed(
        'commits',
        commits.map((commit) => quoteInLine(commit, COMMIT_CHARACTERS)),
        MAX_COMMITS,
      ),
      failures === 0 ? '' : count(failures, 'failed call'),
      time === undefined ? entries : `${entries}, ${new Date(time).toISOString()}`,
    ]
    return facts.filter(Boolean).join(' · ')
  }

  #id(place: number): string {
    return quoteName(this.#session.ids[place] ?? '')
  }
}

function listed(name: string, items: readonly string[], most: number): string {
  if (items.length === 0) return ''
  const more = items.length > most ? ` and ${items.length - most} more` : ''
  return `${name} ${items.slice(0, most).join(', ')}${more}`
}

const count = (number: number, name: string): string => `${number} ${name}${number === 1 ? '' : 's'}`
