import { Problem } from '../errors.ts'
import type { Entry } from '../session/entry.ts'
import { firstIndex } from '../text/first-index.ts'
import { compactionsOf, findSeenPart, type SeenPart } from './compactions.ts'
import { describeLocation, type Location } from './location.ts'
import { readMomentTime } from './moment-time.ts'
import { placesByName } from './name-entries.ts'
import { PLAIN_ID, ShortIds } from './short-ids.ts'

/** Returns when an entry was written, in milliseconds since the epoch; undefined if it does not say. */
type TimeOf = (entry: Entry) => number | undefined

/** Where entries are in a session: before or after its compactions, on its active branch or on one that was left. */
export class Timeline {
  /** Whether the session has branches that were left. */
  readonly hasLeft: boolean
  readonly #entries: readonly Entry[]
  /** The positions of entries in the branch, by id. */
  readonly #branch: ReadonlyMap<string, number>
  /** The positions of compactions in the branch (`compactionsOf`). */
  readonly #compactions: readonly number[]
  /** In positions in the branch. */
  readonly #seen: SeenPart
  readonly #names: readonly string[]
  readonly #timeOf: TimeOf
  /** The first place of each name and id; only if one is asked for. */
  #places: ReadonlyMap<string, number> | undefined
  #shortNames: ShortIds | undefined

  /** @param names what readers call the entries (`nameEntries`) */
  constructor(
    entries: readonly Entry[],
    branch: readonly Entry[],
    { names, timeOf }: { names: readonly string[]; timeOf: TimeOf },
  ) {
    this.#entries = entries
    this.hasLeft = entries.length > branch.length
    this.#branch = new Map(branch.map(({ id }, index) => [id, index]))
    this.#compactions = compactionsOf(branch)
    this.#seen = findSeenPart(branch)
    this.#names = names
    this.#timeOf = timeOf
  }

  get hasCompactions(): boolean {
    return this.#compactions.length > 0
  }

  /**
   * Whether anything of the active branch was replaced, by a compaction or by a reset, and a message is there that the agent no
   * longer sees: a list of messages that was compacted has none.
   */
  get hasReplacedMessages(): boolean {
    return (
      this.#seen.hasReplaced &&
      this.#entries.some(({ message }, place) => message !== undefined && this.isReplaced(place))
    )
  }

  /** Whether the agent no longer sees the entry at a place: the newest summary may stand before what it sees. */
  isReplaced(place: number): boolean {
    const index = this.#indexOf(place)
    return index === undefined || (index < this.#seen.first && index !== this.#seen.summary)
  }

  /** Returns the position of an entry, for a reader: `entry 285 of 986, before the 2nd compaction`. */
  describe(place: number): string {
    return describeLocation(this.locate(place), this.#branch.size)
  }

  /** Returns where an entry is. */
  locate(place: number): Location {
    const index = this.#indexOf(place)
    if (index === undefined) return { number: place + 1, isLeft: true, side: 'before', compaction: 0 }
    const [next, all] = [countBelow(this.#compactions, index), this.#compactions.length]
    const own = { number: index + 1, isLeft: false }
    if (next === all) return { ...own, side: 'after', compaction: all }
    return { ...own, side: this.#compactions[next] === index ? 'at' : 'before', compaction: next + 1 }
  }

  /** Returns the name of an entry, or so much of a long id as no other name begins with: other methods take it too. */
  shortIdOf(place: number): string {
    const name = this.#names[place] ?? ''
    return name === this.#entries[place]?.id ? this.#namesByBeginning.shorten(name) : name
  }

  timeOf(place: number): number | undefined {
    const entry = this.#entries[place]
    return entry && this.#timeOf(entry)
  }

  /** Returns the ids that are of an entry, and the others. @throws Problem `invalid-request` for a beginning of several ids */
  sortIds(ids: readonly string[]): { known: string[]; unknown: string[] } {
    const isKnown = (id: string, at: number): boolean => this.#placeOfId(id, at) !== undefined
    return { known: ids.filter(isKnown), unknown: ids.filter((id, at) => !isKnown(id, at)) }
  }

  /** Returns the places of entries, with their neighbours. @throws Problem `invalid-request` for an unknown id */
  placesOf(ids: readonly string[], around: number): Set<number> {
    const places = new Set<number>()
    for (const [at, id] of ids.entries()) {
      const place = this.#placeOfId(id, at)
      if (place === undefined) throw unknown(`/entryIds/${at}`, 'must be the id of an entry of the session')
      for (let near = Math.max(0, place - around); near <= place + around && near < this.#entries.length; near++)
        places.add(near)
    }
    return places
  }

  /** Returns whether so many neighbours of entries would be before the first or after the last entry of the session. */
  reachBeyond(ids: readonly string[], around: number): { first: boolean; last: boolean } {
    const places = [...this.placesOf(ids, 0)]
    const end = this.#entries.length
    return { first: places.some((one) => one < around), last: places.some((one) => one + around >= end) }
  }

  /**
   * Returns whether entries are before or after a moment: an entry, a time, or a compaction of the branch.
   * @throws Problem `invalid-request`
   */
  readMoment(moment: string, field: 'before' | 'after'): (place: number) => boolean {
    const isWanted = (difference: number): boolean => (field === 'before' ? difference < 0 : difference > 0)
    const place = this.#placeOf(moment) ?? this.#compactionPlace(moment)
    if (place !== undefined) return (other) => isWanted(other - place)
    const time = readMomentTime(moment, () => this.#entries.map((entry) => this.#timeOf(entry)))
    if (typeof time === 'string') throw unknown(`/${field}`, time)
    const begun = Number.isNaN(time) ? this.#placeOfBeginning(moment, `/${field}`) : undefined
    if (begun !== undefined) return (other) => isWanted(other - begun)
    if (Number.isNaN(time))
      throw unknown(
        `/${field}`,
        `must be an entry id, or a time such as 2026-03-24T08:00:00Z${describeCompactions(this.#compactions.length)}`,
      )
    if (this.#entries.every((entry) => this.#timeOf(entry) === undefined))
      throw unknown(`/${field}`, 'is a time, but the entries of this session have none: name an entry instead')
    return (other) => isWanted((this.timeOf(other) ?? Number.NaN) - time)
  }

  #placeOfId(id: string, at: number): number | undefined {
    return this.#placeOf(id) ?? this.#placeOfBeginning(id, `/entryIds/${at}`)
  }

  #indexOf(place: number): number | undefined {
    return this.#branch.get(this.#entries[place]?.id ?? '')
  }

  #placeOf(id: string): number | undefined {
    this.#places ??= placesByName(this.#names, this.#entries)
    return this.#places.get(id)
  }

  /** A beginning of an id with a secret would tell whether a guess of the secret is right. */
  get #namesByBeginning(): ShortIds {
    this.#shortNames ??= new ShortIds(this.#names)
    return this.#shortNames
  }

  /** @throws Problem `invalid-request` if several ids begin so */
  #placeOfBeginning(text: string, pointer: string): number | undefined {
    const [id, ...others] = this.#namesByBeginning.beginningWith(text)
    if (id === undefined || others.length === 0) return id === undefined ? undefined : this.#placeOf(id)
    const named = [id, ...others].filter(isNamed).slice(0, MAX_NAMED)
    const candidates = named.length === 0 ? '' : `, such as ${named.join(', ')}`
    throw unknown(pointer, `begins ${others.length + 1} ids${candidates}: more of the id is needed`)
  }

  #compactionPlace(moment: string): number | undefined {
    const [, number] = COMPACTION.exec(moment) ?? []
    const index = number === undefined ? undefined : this.#compactions[Number(number) - 1]
    if (index === undefined) return undefined
    const before = this.#placeOf([...this.#branch.keys()][Math.floor(index)] ?? '')
    return before === undefined ? undefined : before + (index % 1)
  }
}

const describeCompactions = (number: number): string => {
  if (number === 0) return '; this session has no compaction'
  return number === 1 ? ', or compaction:1' : `, or compaction:1 to compaction:${number}`
}

/** Returns how many of some ascending numbers are less than another one. */
const countBelow = (ascending: readonly number[], limit: number): number =>
  firstIndex(ascending.length, (at) => (ascending[at] ?? Infinity) < limit)

/** Longer ids, and those with other characters, are data. */
const isNamed = (id: string): boolean => id.length <= 100 && PLAIN_ID.test(id)
const MAX_NAMED = 4
const COMPACTION = /^compaction:(\d{1,6})$/

const unknown = (pointer: string, detail: string): Problem =>
  new Problem('invalid-request', 'The session has no such entry, time or compaction.', {
    faults: [{ pointer, detail }],
  })
