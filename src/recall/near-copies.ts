import type { RecallKind } from '../schemas/recall-kinds.ts'
import type { RecalledPassage } from './passage.ts'
import type { Hit } from './rank.ts'

/** The share of shingles that near copies have in common. */
const MIN_SHARED = 0.7

/** Passages of fewer words are compared as a whole. */
const MIN_WORDS = 8

/** A passage, and older ones that say nearly the same. */
export interface Group {
  hit: Hit
  copies: RecalledPassage[]
}

/** Returns the places of older entries that say nearly the same. */
export const olderPlaces = ({ hit: { passage }, copies }: Group): number[] =>
  [...new Set(copies.flatMap(({ places: [place] }) => place ?? []))].filter((one) => !passage.places.includes(one))

/** Near copies are looked for among so many passages: later pages show the others as they are. */
const MAX_COMPARED = 400

/**
 * Returns hits with near copies as one, at the place of the best: the newest, since that is how things stand. Only what one call
 * has returned at different times, and a summary, can be said again in other words: anything else is a copy only if it is equal.
 */
export function groupCopies(hits: readonly Hit[]): Group[] {
  const groups: Group[] = []
  const alike = new Map<string, Version[]>()
  for (const hit of hits.slice(0, MAX_COMPARED)) {
    const [key, shingles] = [keyOf(hit), isVersion(hit.passage) ? shinglesOf(textOf(hit.passage)) : EQUAL]
    const versions = alike.get(key) ?? []
    alike.set(key, versions)
    const found = versions.find((one) => isNear(one.shingles, shingles) && !isPartOfSame(one.group.hit, hit))
    if (found === undefined) {
      const group = { hit, copies: [] }
      groups.push(group)
      versions.push({ group, shingles })
    } else addCopy(found.group, hit)
  }
  return [...groups, ...hits.slice(MAX_COMPARED).map((hit) => ({ hit, copies: [] }))]
}

/** A group, and what its next near copy is compared with. */
interface Version {
  group: Group
  shingles: Uint32Array
}

const EQUAL = Uint32Array.of(0)

function addCopy(group: Group, hit: Hit): void {
  const isNewer = placeOf(hit.passage) > placeOf(group.hit.passage)
  group.copies.push(isNewer ? group.hit.passage : hit.passage)
  if (isNewer) group.hit = hit
}

/**
 * Returns what near copies have in common: a command that has failed and the same one that has passed say the opposite, and one with
 * another word of the query answers something else.
 */
function keyOf({ passage, matches: { terms, phrases } }: Hit): string {
  const { kinds, call = '' } = passage
  const found = [terms, phrases].map((one) => [...one.keys()].sort((a, b) => a - b).join())
  return [kinds[0], ...found, isVersion(passage) ? call : wholeOf(passage)].join('|')
}

/** Whether a passage is what a call has returned this time, or a summary, which repeats the one before. */
const isVersion = ({ kinds: [kind], call }: RecalledPassage): boolean =>
  kind === 'summary' || (call !== undefined && kind !== 'edit' && kind !== 'commit')

/** Returns all of a passage. In words, neither case nor white space changes what they say. */
function wholeOf(passage: RecalledPassage): string {
  const [[kind], whole] = [passage.kinds, `${passage.lead}\n${textOf(passage)}`]
  return PROSE.has(kind) ? whole.toLowerCase().replace(/\s+/g, ' ').trim() : whole
}

/** Returns what a passage says. Two runs of a command say the same only if what came of them is the same. */
const textOf = ({ text, outcome }: RecalledPassage): string => (outcome === undefined ? text : `${text}\n${outcome}`)

const PROSE: ReadonlySet<RecallKind> = new Set(['request', 'answer', 'thinking'])

/** Lines of one output may resemble each other: each part of it says something else. */
const isPartOfSame = ({ passage: one }: Hit, { passage: other }: Hit): boolean =>
  placeOf(one) === placeOf(other) && isVersion(one)

const placeOf = ({ places }: RecalledPassage): number => places[0] ?? 0

/**
 * Returns the shingles of a text, which are four neighbouring words (Broder, "On the resemblance and containment of documents",
 * 1997), as ascending numbers: their hashes. Of few words, it is one hash of all.
 */
function shinglesOf(text: string): Uint32Array {
  const words = hashWords(text.toLowerCase())
  const size = words.length < MIN_WORDS ? Math.max(1, words.length) : SHINGLE_WORDS
  const shingles = new Uint32Array(Math.max(1, words.length - size + 1))
  for (let at = 0; at < shingles.length; at++) {
    let hash = 0
    for (const word of words.slice(at, at + size)) hash = mix(hash, word)
    shingles[at] = hash
  }
  return shingles.sort().filter((one, at) => at === 0 || one !== shingles[at - 1])
}

/** As many neighbouring words make a shingle. */
const SHINGLE_WORDS = 4

/** Returns a hash of each word of a text, and of each sign between words. */
function hashWords(text: string): number[] {
  const hashes: number[] = []
  let word = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const kind = kindOfUnit(unit)
    if (kind === IN_WORD) word = mix(word, unit)
    else {
      if (word !== 0) hashes.push(word)
      word = 0
      if (kind === SIGN) hashes.push(mix(1, unit))
    }
  }
  if (word !== 0) hashes.push(word)
  return hashes
}

/** Returns a hash of a hash and one more number (a round of MurmurHash3, with its constants). */
function mix(hash: number, value: number): number {
  const scrambled = Math.imul(value, 0xcc9e2d51)
  const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

const [IN_WORD, SIGN, SPACE] = [1, 2, 3]

/** The kind of each UTF-16 unit, or 0 until it is asked for. */
const kinds = new Uint8Array(0x10000)

/** Returns what a UTF-16 unit is. Halves of a character beyond 16 bits count as letters. */
function kindOfUnit(unit: number): number {
  const known = kinds[unit] as number
  if (known !== 0) return known
  const character = String.fromCharCode(unit)
  const kind = /[\p{L}\p{N}_\p{Cs}]/u.test(character) ? IN_WORD : /\s/.test(character) ? SPACE : SIGN
  kinds[unit] = kind
  return kind
}

function isNear(one: Uint32Array, other: Uint32Array): boolean {
  const needed = MIN_SHARED * Math.max(one.length, other.length)
  let [at, otherAt, shared] = [0, 0, 0]
  // Most passages have little in common: the comparison ends where too little is left.
  while (shared < needed && shared + Math.min(one.length - at, other.length - otherAt) >= needed) {
    const [left = 0, right = 0] = [one[at], other[otherAt]]
    if (left === right) shared += 1
    if (left <= right) at += 1
    if (right <= left) otherAt += 1
  }
  return shared >= needed
}
