/** Told of a word that stands in a text from `start`, case aside; words that end together come longest first. */
type OnWord = (word: string, start: number) => void

/**
 * Finds words in texts, whatever stands around them and in whatever case of ASCII letters.
 * @param onWord told of all places, by where they end; it may not find in another text by the same finder
 */
type WordFinder = (text: string, onWord: OnWord) => void

/** Characters that are looked at at once. */
const CHUNK_CHARACTERS = 4096

/**
 * Creates a finder of words: one pass over a text for all of them (Aho and Corasick, "Efficient string matching", 1975),
 * at twice the speed of a regular expression of as many alternatives. The one place to look where many words are few times
 * there.
 * @param words in lower or upper case; at most some thousand letters in all
 */
export function createWordFinder(words: readonly string[]): WordFinder {
  const { classOf, next, rowBits, firstEnding, endings } = buildAutomaton(words)
  // An array of numbers is read faster than a string.
  const units = new Uint16Array(CHUNK_CHARACTERS)
  const bytes = Buffer.from(units.buffer)
  return (text, onWord) => {
    let state = 0
    for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
      const count = Math.min(CHUNK_CHARACTERS, text.length - from)
      bytes.write(text.slice(from, from + count), 'utf16le')
      for (let at = 0; at < count; at++) {
        state = next[state | (classOf[units[at] as number] as number)] as number
        if (state < firstEnding) continue
        for (const word of endings[(state - firstEnding) >> rowBits] ?? []) onWord(word, from + at + 1 - word.length)
      }
    }
  }
}
/** What is read of a text, unit by unit: each leads from one state to the next. */
interface Automaton {
  /** The class of each UTF-16 unit; those of no word have 0. */
  classOf: Uint8Array
  /** The state after another, by its row and a unit's class; both are row numbers times the length of a row. */
  next: Uint16Array
  rowBits: number
  /** The least state in which words end. */
  firstEnding: number
  /** The words that end in each state from there on. */
  endings: readonly (readonly string[])[]
}

/** A state is a number of 16 bits. */
const MOST_STATES = 0x10000

/** A place in the words that begin alike. */
interface Node {
  /** By class; those that no word goes on to are the node's that the longest suffix leads to. */
  next: Node[]
  /** Those that end here, longest first. */
  words: string[]
}

/**
 * Builds what finds words in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
 * @throws Error for words of more than some thousand letters in all
 */
function buildAutomaton(words: readonly string[]): Automaton {
  const { classOf, classes } = classify(words)
  const rowBits = Math.ceil(Math.log2(classes))
  const nodes = linkFailures(growTrie(words, classOf), classes)
  // Those in which words end come last, so that one comparison tells them.
  const inOrder = [...nodes.filter(({ words }) => words.length === 0), ...nodes.filter(({ words }) => words.length > 0)]
  if (inOrder.length << rowBits > MOST_STATES) throw new Error('There are too many words for one automaton.')
  const rowOf = new Map(inOrder.map((node, row) => [node, row << rowBits]))
  const next = new Uint16Array(inOrder.length << rowBits)
  for (const node of inOrder)
    for (let unit = 0; unit < classes; unit++)
      next[(rowOf.get(node) ?? 0) | unit] = rowOf.get(node.next[unit] as Node) as number
  const endings = inOrder.map(({ words }) => words).filter(({ length }) => length > 0)
  return { classOf, next, rowBits, firstEnding: (inOrder.length - endings.length) << rowBits, endings }
}

/** Letters that differ in case are of one class. */
function classify(words: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(0x10000)
  let classes = 1
  for (const unit of words.join('').toLowerCase()) {
    if (classOf[unit.charCodeAt(0)] !== 0) continue
    for (const form of [unit, unit.toUpperCase()]) classOf[form.charCodeAt(0)] = classes
    classes += 1
  }
  return { classOf, classes }
}

function growTrie(words: readonly string[], classOf: Uint8Array): Node {
  const root: Node = { next: [], words: [] }
  for (const word of words) {
    let node = root
    for (let at = 0; at < word.length; at++)
      node = node.next[classOf[word.charCodeAt(at)] as number] ??= { next: [], words: [] }
    node.words.push(word)
  }
  return root
}

/** Where no word goes on, another may have begun: what is read is never read again. @returns all nodes */
function linkFailures(root: Node, classes: number): Node[] {
  const failureOf = new Map<Node, Node>()
  const nodes = [root]
  for (const node of nodes) {
    const failure = failureOf.get(node)
    for (let unit = 0; unit < classes; unit++) {
      const otherwise = failure?.next[unit] ?? root
      const child = node.next[unit]
      if (child === undefined) node.next[unit] = otherwise
      else {
        failureOf.set(child, otherwise)
        child.words.push(...otherwise.words)
        nodes.push(child)
      }
    }
  }
  return nodes
}
