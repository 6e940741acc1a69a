/**
 * Called for each word found in a text, with its offset. Of words that end at the same place, the longest comes first.
 */
type OnWord = (word: string, start: number) => void

/**
 * Finds words in a text, also inside other words, in any case of ASCII letters.
 * @param onWord called for all places, in the order of their ends; it must not call the same finder
 */
type WordFinder = (text: string, onWord: OnWord) => void

/** The number of characters that are copied out of the string at once. */
const CHUNK_CHARACTERS = 4096

/**
 * Returns a finder that searches a text for all words in one pass (Aho and Corasick, "Efficient string matching",
 * 1975). With the 1,800 hints of secrets, it takes 50 ms for a million characters of a session; libraries with the same automaton
 * (@monyone/aho-corasick 1.1.11, ahocorasick 1.0.2) take 290 ms, and a regular expression that finds words within words 350 ms.
 * @param words in lower or upper case; at most some thousand letters in all
 */
export function createWordFinder(words: readonly string[]): WordFinder {
  // Built for the first text: the tables of all finders take some MiB, which a process that searches nothing does not need.
  let machine: Machine | undefined
  return (text, onWord) => search(text, (machine ??= createMachine(words)), onWord)
}

/** An array of numbers is read faster than a string. Each finder has its own: a callback may call another finder. */
type Machine = Automaton & { units: Uint16Array; bytes: Buffer }

function createMachine(words: readonly string[]): Machine {
  const units = new Uint16Array(CHUNK_CHARACTERS)
  return { ...buildAutomaton(words), units, bytes: Buffer.from(units.buffer) }
}

/** With the variables of a closure, or with more in the innermost loop, it would take three times as long. */
function search(text: string, machine: Machine, onWord: OnWord): void {
  const { classOf, next, rowBits, firstEnding, endings, units, bytes } = machine
  let state = 0
  for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
    const count = Math.min(CHUNK_CHARACTERS, text.length - from)
    bytes.write(text.slice(from, from + count), 'utf16le')
    for (let at = 0; at < count;) {
      do state = next[state | (classOf[units[at++] as number] as number)] as number
      while (state < firstEnding && at < count)
      for (const { word, first } of state < firstEnding ? [] : (endings[(state - firstEnding) >> rowBits] ?? [])) {
        const start = from + at - word.length
        if (first === undefined || (first.includes(text.charAt(start)) && isAt(text, start, word))) onWord(word, start)
      }
    }
  }
}

/** Letters beyond ASCII share a class, and so do rare signs: many classes make the table larger. */
const SHARED: readonly RegExp[] = [/[\u0080-\uffff]/, /[{}*`#%]/]

/** A word that ends in a state. */
interface Ending {
  word: string
  /** The letters that it may begin with, if it has units that share a class: most other texts differ there already. */
  first?: string
}

const endingOf = (word: string): Ending =>
  SHARED.some((units) => units.test(word))
    ? { word, first: word.charAt(0).toLowerCase() + word.charAt(0).toUpperCase() }
    : { word }

/** Changing the case of letters beyond ASCII takes most of the time, and few texts need it. */
function isAt(text: string, start: number, word: string): boolean {
  const part = text.slice(start, start + word.length)
  return part === word || part.toLowerCase() === word.toLowerCase()
}

/** A state machine that reads a text unit by unit. */
interface Automaton {
  /** The class of each UTF-16 unit; 0 for units that are in no word. */
  classOf: Uint8Array
  /** The next state, at `state | class`. A state is the number of its row times the length of a row. */
  next: Uint32Array
  rowBits: number
  /** The lowest state in which words end. */
  firstEnding: number
  /** The words that end in each state from `firstEnding` on. */
  endings: readonly (readonly Ending[])[]
}

/** Larger tables do not stay in the caches of a processor. */
const MAX_STATES = 0x80000

/**
 * Builds the automaton that finds words in one pass. It is built anew in each process, so this is written for speed.
 * @throws Error for words of more than some thousand letters in all
 */
function buildAutomaton(words: readonly string[]): Automaton {
  const { classOf, classes } = classify(words)
  const rowBits = Math.ceil(Math.log2(classes))
  const trie = growTrie(words, classOf, rowBits)
  const { size, next } = trie
  if (size << rowBits > MAX_STATES) throw new Error('There are too many words for one automaton.')
  const nodes = linkFailures(trie, classes, rowBits)
  // The nodes in which words end come last, so that one comparison recognizes them.
  const inner = nodes.filter((node) => trie.words[node] === undefined)
  const endings: (readonly Ending[])[] = []
  const rowOf = new Uint32Array(size)
  for (const [row, node] of inner.entries()) rowOf[node] = row << rowBits
  for (const node of nodes) {
    const ending = trie.words[node]
    if (ending !== undefined) rowOf[node] = (inner.length + endings.push(ending.map(endingOf)) - 1) << rowBits
  }
  const inOrder = new Uint32Array(size << rowBits)
  for (let node = 0; node < size; node++)
    for (let unit = 0; unit < classes; unit++)
      inOrder[(rowOf[node] as number) | unit] = rowOf[next[(node << rowBits) | unit] as number] as number
  return { classOf, next: inOrder, rowBits, firstEnding: inner.length << rowBits, endings }
}

/**
 * Assigns a class to each letter of the words; upper and lower case have the same class. Words with letters that share one
 * are compared once more.
 */
function classify(words: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(0x10000)
  let classes = 1
  const shared = new Map<RegExp, number>()
  for (const unit of words.join('').toLowerCase()) {
    if (classOf[unit.charCodeAt(0)] !== 0) continue
    const group = SHARED.find((units) => units.test(unit))
    const given = (group && shared.get(group)) ?? classes++
    if (group !== undefined) shared.set(group, given)
    for (const form of [unit, unit.toUpperCase()]) classOf[form.charCodeAt(0)] = given
  }
  return { classOf, classes }
}

/** The common beginnings of some words, as nodes with numbers; 0 is the beginning of all. */
interface Trie {
  /** The number of nodes. */
  size: number
  /** The next node, at `node << rowBits | class`; where no word continues, 0. */
  next: Uint32Array
  /** The words that end in a node, the longest first. */
  words: (string[] | undefined)[]
}

function growTrie(words: readonly string[], classOf: Uint8Array, rowBits: number): Trie {
  const letters = words.reduce((sum, { length }) => sum + length, 0)
  const next = new Uint32Array((letters + 1) << rowBits)
  const ending: (string[] | undefined)[] = []
  let size = 1
  for (const word of words) {
    let node = 0
    for (let at = 0; at < word.length; at++) {
      const place = (node << rowBits) | (classOf[word.charCodeAt(at)] as number)
      if (next[place] === 0) next[place] = size++
      node = next[place] as number
    }
    ;(ending[node] ??= []).push(word)
  }
  return { size, next, words: ending }
}

/**
 * Completes a trie: where no word continues, the next node is that of the longest suffix that begins a word, so that no unit is
 * read twice. @returns all nodes, those of short beginnings first
 */
function linkFailures({ size, next, words }: Trie, classes: number, rowBits: number): Uint32Array {
  const failureOf = new Uint32Array(size)
  const nodes = new Uint32Array(size)
  let count = 1
  for (let done = 0; done < count; done++) {
    const node = nodes[done] as number
    const failure = failureOf[node] as number
    for (let unit = 0; unit < classes; unit++) {
      const place = (node << rowBits) | unit
      const otherwise = node === 0 ? 0 : (next[(failure << rowBits) | unit] as number)
      const child = next[place] as number
      if (child === 0) next[place] = otherwise
      else {
        failureOf[child] = otherwise
        const ofSuffix = words[otherwise]
        if (ofSuffix !== undefined) (words[child] ??= []).push(...ofSuffix)
        nodes[count++] = child
      }
    }
  }
  return nodes
}

/** A block between an opening and a closing mark; offsets in UTF-16 units, marks included. */
interface Block {
  start: number
  end: number
  /** The opening mark's match, with its groups. */
  open: RegExpExecArray
  /** The text between the marks. */
  inner: string
}

/**
 * Returns the blocks of a text, each from an opening mark to the next closing mark. An opening mark that is never
 * closed ends the search: a pattern like `<a>[^]*?</a>` would search for the end again from each opening mark, in
 * quadratic time.
 */
export function findBlocks(text: string, open: RegExp, close: string): Block[] {
  const blocks: Block[] = []
  const pattern = new RegExp(open, 'g')
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const innerStart = match.index + match[0].length
    const innerEnd = text.indexOf(close, innerStart)
    if (innerEnd < 0) break
    pattern.lastIndex = innerEnd + close.length
    blocks.push({ start: match.index, end: pattern.lastIndex, open: match, inner: text.slice(innerStart, innerEnd) })
  }
  return blocks
}

/** Returns a text without some of its blocks, which are in order. */
export function removeBlocks(text: string, blocks: readonly Pick<Block, 'start' | 'end'>[]): string {
  const parts = blocks.map(({ start }, index) => text.slice(blocks[index - 1]?.end ?? 0, start))
  return parts.join('') + text.slice(blocks.at(-1)?.end ?? 0)
}
