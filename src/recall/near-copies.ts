import type { RecalledPassage } from './passage.ts'
import type { Hit } from './rank.ts'

/** The share of shingles that near copies have in common. */
const MIN_SHARED = 0.7

/** Passages of fewer words are compared as a whole, as requests are. */
const MIN_WORDS = 8

/** A passage, and older ones that say nearly the same. */
export interface Group {
  hit: Hit
  copies: RecalledPassage[]
}

/** Near copies are looked for among so many passages: later pages show the others as they are. */
const MAX_COMPARED = 400

/** Returns hits with near copies as one: at the place of the best, it is the newest, since that is how things stand. */
export function groupCopies(hits: readonly Hit[]): Group[] {
  const groups: (Group & { shingles: Uint32Array; sort: string })[] = []
  const shinglesOf = createShingler()
  for (const hit of hits.slice(0, MAX_COMPARED)) {
    const [sort, shingles] = [sortOf(hit), shinglesOf(hit.passage)]
    const group = groups.find((one) => one.sort === sort && isNear(one.shingles, shingles))
    if (group === undefined) groups.push({ hit, copies: [], shingles, sort })
    else if (placeOf(hit.passage) > placeOf(group.hit.passage)) {
      group.copies.push(group.hit.passage)
      group.hit = hit
    } else group.copies.push(hit.passage)
  }
  return [...groups, ...hits.slice(MAX_COMPARED).map((hit) => ({ hit, copies: [] }))]
}

/**
 * Returns what near copies have in common besides their words: a command that has failed and the same one that has passed say the
 * opposite, and one with another word of the query answers something else.
 */
function sortOf({ passage: { kinds }, matches: { terms, phrases } }: Hit): string {
  const found = [terms, phrases].map((one) => [...one.keys()].sort((a, b) => a - b).join())
  return [isRequest(kinds), kinds.includes('failure'), ...found].join('|')
}

/** In a request of the user, one word or number changes what is to be done. */
const isRequest = ([kind]: RecalledPassage['kinds']): boolean => kind === 'request'

const placeOf = ({ places }: RecalledPassage): number => places[0] ?? 0

/**
 * Returns a function that returns the shingles of a text, which are four neighbouring words (Broder, "On the resemblance and
 * containment of documents", 1997), as ascending numbers: their hashes, or the number of a whole text. Equal ones have equal numbers.
 */
function createShingler(): (passage: RecalledPassage) => Uint32Array {
  const wholeTexts = new Map<string, number>()
  return ({ text, kinds }) => {
    const folded = text.toLowerCase()
    const words = isRequest(kinds) ? [] : hashWords(folded)
    if (words.length < MIN_WORDS) {
      const whole = folded.replace(/\s+/g, ' ').trim()
      const number = wholeTexts.get(whole) ?? wholeTexts.size
      wholeTexts.set(whole, number)
      return Uint32Array.of(WHOLE_TEXTS + number)
    }
    const shingles = new Uint32Array(words.length - SHINGLE_WORDS + 1)
    for (let at = 0; at < shingles.length; at++) {
      let hash = 0
      for (let word = at; word < at + SHINGLE_WORDS; word++) hash = mix(hash, words[word] as number)
      shingles[at] = hash >>> 1
    }
    return shingles.sort().filter((one, at) => at === 0 || one !== shingles[at - 1])
  }
}

/** As many neighbouring words make a shingle. */
const SHINGLE_WORDS = 4

/** Numbers of whole texts are no hashes of shingles. */
const WHOLE_TEXTS = 2 ** 31

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
