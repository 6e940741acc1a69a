import type { WorkState } from '../extract/work-item.ts'
import type { KnownSession } from './known-session.ts'
import { readOutline, type OutlinedTurn, type SessionOutline } from './outline.ts'
import { baseName } from '../files/paths.ts'
import { counted } from '../text/numbers.ts'
import { beginning } from '../text/shorten.ts'
import { quoteInLine, quoteName, roomBelow } from './quote.ts'

interface Page {
  head: string
  offset: number
  limit?: number | undefined
}

/** Returns the outline of a session as text, a line for each request: as many as fit, and where the others begin. */
export function writeOutline(session: KnownSession, { head, offset, limit = Infinity }: Page): string {
  const { turns, ...outline } = readOutline(session)
  const writer = new OutlineWriter(session, { turns, ...outline })
  const lines: string[] = []
  const legend = turns.some(({ steps }) => steps.length >= MANY_STEPS) ? LEGEND + STEPS_LEGEND : LEGEND
  let room = roomBelow(head + legend)
  let next = offset
  for (; next < turns.length && next - offset < limit; next++) {
    const line = writer.line(next, next === offset)
    room -= line.length + 1
    if (room < 0 && lines.length > 0) break
    lines.push(line)
  }
  const more =
    next < turns.length
      ? `; call again with "offset": ${next}`
      : offset > 0 && lines.length === 0
        ? `: "offset" must be less`
        : ''
  const end = `(${counted(turns.length, 'request')} in all${more}${noteOfLeft(session)})`
  return `${head}\n${legend}\n\n${[...lines, end].join('\n')}`
}

/** Says that branches that were left are not outlined: what was tried there is easily taken for never done. */
function noteOfLeft({ entries, branch }: KnownSession): string {
  const left = entries.length - branch.length
  return left === 0
    ? ''
    : `; without ${counted(left, 'entry', 'entries')} on branches that were left: recall finds them`
}

const REQUEST_CHARACTERS = 75
const COMMIT_CHARACTERS = 60
const NAME_CHARACTERS = 60
const MAX_FILES = 3
const MAX_COMMITS = 3

/** Of compactions in a row, so many are listed at the beginning and at the end: a line must fit into an answer. */
const MAX_COMPACTIONS = 3

/** A turn in which the agent has said so much is more than a line can say: so many of its steps are listed below it. */
const MANY_STEPS = 16
const SHOWN_STEPS = 10
const STEP_CHARACTERS = 90

const LEGEND = 'Each line: first entry, request; how it ended; files changed; commits; failed calls.'
const STEPS_LEGEND = ' Below a long one: some of what the agent said.'

/** The words for the end of a request. */
const STATES: Readonly<Record<WorkState, string>> = {
  done: 'done',
  said: 'said done',
  answered: 'answered',
  replaced: 'no longer wanted',
  open: 'open',
  unknown: 'end unknown',
}

class OutlineWriter {
  readonly #session: Pick<KnownSession, 'timeline'>
  readonly #outline: SessionOutline

  constructor(session: Pick<KnownSession, 'timeline'>, outline: SessionOutline) {
    this.#session = session
    this.#outline = outline
  }

  /** Returns the line of a turn, with that of its day, and those of what follows until the next one; of the first one, also of compactions before it. */
  line(index: number, isFirst: boolean): string {
    const turn = this.#outline.turns[index]
    if (turn === undefined) return ''
    const day = this.#dayOf(turn)
    const isNewDay = day !== '' && (isFirst || day !== this.#dayOf(this.#outline.turns[index - 1]))
    return [
      ...(index === 0 ? this.#compactions(turn.compactions, 0) : []),
      ...(isNewDay ? [`--- ${day}`] : []),
      `${index + 1}. ${this.#turn(turn)}`,
      ...this.#below(turn, index),
    ].join('\n')
  }

  /** Returns lines for the steps of a turn and the compactions until the next one, in their order. */
  #below(turn: OutlinedTurn, index: number): string[] {
    const { turns, lastCompactions } = this.#outline
    const places = turns[index + 1]?.compactions ?? lastCompactions
    const earlier = turns.slice(0, index + 1).reduce((sum, { compactions }) => sum + compactions.length, 0)
    const lines = this.#compactions(places, earlier)
    const steps = this.#steps(turn)
    const marks = lines.map((line, at) => ({
      line,
      place: lines.length === places.length ? (places[at] ?? 0) : Number.MAX_SAFE_INTEGER,
    }))
    return [...steps, ...marks].toSorted((one, other) => one.place - other.place).map(({ line }) => line)
  }

  #compactions(places: readonly number[], earlier: number): string[] {
    const lines = places.map((place, index) => {
      const where = Number.isInteger(place) ? '' : 'after '
      const kept = this.#outline.kept.get(place)
      const from = kept === undefined ? '' : `; it kept what stands from ${this.#id(kept)} on`
      return `--- compaction:${earlier + index + 1}, ${where}${this.#id(Math.floor(place))}${from}`
    })
    const more = lines.length - 2 * MAX_COMPACTIONS
    if (more <= 1) return lines
    return [...lines.slice(0, MAX_COMPACTIONS), `--- ${more} more`, ...lines.slice(-MAX_COMPACTIONS)]
  }

  #turn({ request, state, first, modifiedFiles, commits, failures }: OutlinedTurn): string {
    const files = new Set(Array.from(modifiedFiles, baseName))
    const facts = [
      request === undefined ? 'before the first request' : quoteInLine(shortPaths(request), REQUEST_CHARACTERS),
      request === undefined ? '' : STATES[state ?? 'unknown'],
      listed(
        Array.from(files, (name) => quoteName(name, NAME_CHARACTERS)),
        MAX_FILES,
      ),
      listed(
        commits.map((commit) => `commit ${quoteInLine(commit, COMMIT_CHARACTERS)}`),
        MAX_COMMITS,
      ),
      failures === 0 ? '' : `${failures} failed`,
    ]
    return `${this.#id(first)} ${facts.filter(Boolean).join('; ')}`
  }

  /** Returns lines for what the agent has said in a turn with many steps, from its beginning to its end. */
  #steps({ steps }: OutlinedTurn): { place: number; line: string }[] {
    if (steps.length < MANY_STEPS) return []
    const last = steps.length - 1
    const shown = Array.from({ length: SHOWN_STEPS }, (_, at) => steps[Math.round((at * last) / (SHOWN_STEPS - 1))])
    return shown.flatMap((step) => {
      if (step === undefined) return []
      const { place, text } = step
      return [{ place, line: `   - ${this.#id(place)} ${quoteInLine(shortPaths(text), STEP_CHARACTERS)}` }]
    })
  }

  #id(place: number): string {
    return quoteName(this.#session.timeline.shortIdOf(place))
  }

  #dayOf(turn: OutlinedTurn | undefined): string {
    const time = turn === undefined ? undefined : this.#session.timeline.timeOf(turn.first)
    return time === undefined ? '' : new Date(time).toISOString().slice(0, 10)
  }
}

/** Returns a request without the folders of long paths, which say less than its words. */
const shortPaths = (request: string): string =>
  beginning(request, READ_CHARACTERS).replace(/(?:\/[^\s/'"]{1,100}){3,20}\//g, '…/')

/** More than this does not get into a line. */
const READ_CHARACTERS = 1000

function listed(items: readonly string[], most: number): string {
  const more = items.length > most ? ` and ${items.length - most} more` : ''
  return `${items.slice(0, most).join(', ')}${more}`
}
