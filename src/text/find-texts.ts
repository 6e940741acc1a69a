/** Called with the index of a text that was found, and with its offset. Returns false to ignore this place. */
type OnText = (index: number, start: number) => boolean

/**
 * Searches a source, and calls back once for each text that it has.
 * @returns whether the whole source was searched
 */
type TextFinder = (source: string, onText: OnText) => boolean

/** The number of UTF-16 units whose hash is computed at each place. Shorter texts are not searched for. */
export const MIN_TEXT_UNITS = 4

/** Texts of this length or more are selected by their last eight units: that saves most comparisons. */
const LONG_UNITS = 2 * MIN_TEXT_UNITS

/**
 * A source may need so many comparisons, and one more for each of its characters. A large session needs some ten thousand in
 * all; a hostile source, whose texts are almost alike, could need hundreds for each of its characters.
 */
const MIN_COMPARISONS = 100_000

const HASHES = 0x10000

/**
 * Returns a finder that searches sources for some hundred texts, in one pass over each source: the last units of the texts
 * select the places where they are compared. An automaton has a state for each unit of the texts: for 660 texts in 200 kB,
 * modern-ahocorasick 3.3 needed 79 ms, ahocorasick 1.0 and @monyone/aho-corasick 1.1 needed 190 ms and more, as much as
 * `includes` for each text; this needs 11 to 28 ms.
 * @param texts each of at least `MIN_TEXT_UNITS` units
 */
export function createTextFinder(texts: readonly string[]): TextFinder {
  const [short, long] = [new Map<number, number[]>(), new Map<number, number[]>()]
  const [isShort, isLong] = [new Uint8Array(HASHES), new Uint8Array(HASHES)]
  for (const [index, text] of texts.entries()) {
    const last = hashOf(text, text.length - MIN_TEXT_UNITS)
    const isOfLong = text.length >= LONG_UNITS
    const hash = isOfLong ? join(hashOf(text, text.length - LONG_UNITS), last) : last
    const [flags, indexes] = isOfLong ? [isLong, long] : [isShort, short]
    flags[hash] = 1
    indexes.set(hash, [...(indexes.get(hash) ?? []), index])
  }
  return (source, onText) => {
    const found = new Set<number>()
    let left = MIN_COMPARISONS + source.length
    const compare = (end: number, indexes: readonly number[] = []): void => {
      for (const index of indexes) {
        const start = end - (texts[index]?.length ?? 0)
        if (start < 0 || found.has(index) || left-- <= 0) continue
        // Faster than `startsWith`.
        if (source.slice(start, end) === texts[index] && onText(index, start)) found.add(index)
      }
    }
    const hashes = new Uint16Array(MIN_TEXT_UNITS)
    let [a, b, c] = [source.charCodeAt(0), source.charCodeAt(1), source.charCodeAt(2)]
    for (let end = MIN_TEXT_UNITS; end <= source.length && left > 0; end++) {
      const d = source.charCodeAt(end - 1)
      const hash = hashUnits(a, b, (c << 5) ^ d)
      ;[a, b, c] = [b, c, d]
      const both = join(hashes[end % MIN_TEXT_UNITS] ?? 0, hash)
      hashes[end % MIN_TEXT_UNITS] = hash
      if (isShort[hash] === 1) compare(end, short.get(hash))
      if (isLong[both] === 1) compare(end, long.get(both))
    }
    return left > 0
  }
}

/** Returns a number for the four units at an offset. */
const hashOf = (text: string, at: number): number =>
  hashUnits(text.charCodeAt(at), text.charCodeAt(at + 1), (text.charCodeAt(at + 2) << 5) ^ text.charCodeAt(at + 3))

/** @param rest the last two units */
const hashUnits = (first: number, second: number, rest: number): number =>
  ((first << 10) ^ (second << 7) ^ (first >> 3) ^ rest) & (HASHES - 1)

/** Returns a number for the eight units of two neighbours. */
const join = (first: number, second: number): number => (Math.imul(first, 40503) ^ second) & (HASHES - 1)
