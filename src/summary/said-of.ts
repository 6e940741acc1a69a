import { withoutPasted } from '../extract/pasted.ts'
import { asksForNothing } from '../extract/user-text.ts'
import { oneLine, shorten } from '../text/shorten.ts'

/** As much of a message is read, for as many of the newest failures, and as much is quoted. */
const MAX = { characters: 4000, failures: 40, messages: 12, tests: 5, quoted: 160 }

/** The words of a text, and a name with a sign between its parts: `internal/crawl`, `legacy_mail`, `ansible-lint`. */
const WORDS = /[\s,;:!?'"()]+/
const NAME = /^[\p{L}\d].*[._/-][\p{L}\d]/u
const MIN_NAME_CHARACTERS = 6

/** Words of names: shorter ones are in most names, and so are those of tests. */
const PARTS = /\p{Lu}?\p{Ll}{4,}/gu
const GENERAL = /^(?:tests?|testing|should|shows|returns|works|fails?|failed|error|value)$/

/** What may be said of a failure. */
interface Subject {
  /** Its command. */
  what: string
  /** Its errors. */
  text: string
  /** The names of the tests that have failed; empty where none is known. */
  tests: readonly string[]
}

/** What the user said, after the failure, and of an earlier one of the same. */
export interface Said {
  earlier?: string
  then?: string
}

interface Known<T> extends Subject {
  failure: T
  /** Whether the user has said nothing since. */
  isNew: boolean
  /** The names by which the user has named it. */
  names: string[]
}

/**
 * What the user said of failures, word for word, so that the reader can judge whether they are to be left: what is said with a name that is in
 * their command or their errors, or in the next message with most words of the name of a test. It holds for the next failure of the same too.
 */
export class SaidOf<T extends object> {
  readonly #said = new Map<T, Said>()
  #known: Known<T>[] = []
  /** The newest messages: what is said of a test by its name may be said before it has run. */
  #heard: string[] = []

  /** @param said what is known of an earlier summary */
  add(failure: T, subject: Subject, said?: Said): void {
    const known = { failure, ...subject, isNew: true, names: [] as string[] }
    known.names = [said?.earlier, said?.then].flatMap((text) =>
      text === undefined ? [] : (findName(text, known)?.name ?? []),
    )
    known.isNew = said === undefined
    const before = this.#known.findLast((one) => this.#said.has(one.failure) && isSame(one, known))
    if (said !== undefined) this.#said.set(failure, said)
    else if (before !== undefined) {
      const { earlier, then = earlier } = this.#said.get(before.failure) ?? {}
      this.#said.set(failure, then === undefined ? {} : { earlier: then })
      known.names = before.names
    } else this.#recall(known)
    this.#known = [...this.#known, known].slice(-MAX.failures)
  }

  #recall(known: Known<T>): void {
    const names = known.tests
      .filter((test) => test.length >= MIN_NAME_CHARACTERS && NAME.test(test))
      .slice(0, MAX.tests)
    for (const said of this.#heard.toReversed()) {
      const name = names.find((one) => said.includes(one))
      if (name === undefined) continue
      known.names = [name]
      this.#said.set(known.failure, { earlier: sentenceAt(said, said.indexOf(name)) })
      return
    }
  }

  /** Records what the user says. */
  hear(text: string): void {
    const words = text.slice(0, MAX.characters)
    if (words === '' || asksForNothing(words)) return
    const said = oneLine(withoutPasted(words)).replace(/[()"`]/g, '')
    this.#heard = [...this.#heard, said].slice(-MAX.messages)
    for (const known of this.#known) {
      const found = findName(said, known)
      known.isNew = false
      if (found === undefined) continue
      known.names = [...new Set([...known.names, found.name])]
      this.#said.set(known.failure, { ...this.#said.get(known.failure), then: sentenceAt(said, found.at) })
    }
  }

  of(failure: T): Said {
    return this.#said.get(failure) ?? {}
  }
}

/** Whether a failure is that of an older one again, by a name that the user has used for it. The same check may fail of something else. */
const isSame = ({ names }: Known<object>, now: Subject): boolean => names.some((name) => now.text.includes(name))

/** Returns the name of something of a failure that is said, and the place where that is. */
function findName(said: string, { what, text, tests, isNew }: Known<object>): { name: string; at: number } | undefined {
  const words = said.split(WORDS).map((word) => word.replace(/\.$/, ''))
  const name = words.find(
    (one) => one.length >= MIN_NAME_CHARACTERS && NAME.test(one) && (text.includes(one) || what.includes(one)),
  )
  if (name !== undefined) return { name, at: said.indexOf(name) }
  const used = isNew && tests.length > 0 ? partsOf(said) : []
  for (const test of tests) {
    const parts = partsOf(test)
    const shared = used.filter(([word]) => parts.some(([part]) => isWord(word, part) || isWord(part, word)))
    if (shared[0] !== undefined && new Set(shared.map(([word]) => word)).size * 2 >= parts.length)
      return { name: test, at: shared[0][1] }
  }
  return undefined
}

/** Returns the words of names in a text, in lower case, with their places. */
const partsOf = (text: string): [word: string, at: number][] =>
  Array.from(text.matchAll(PARTS), (found): [string, number] => [found[0].toLowerCase(), found.index]).filter(
    ([word]) => !GENERAL.test(word),
  )

/** Whether a word is another one, perhaps in the plural. */
const isWord = (word: string, stem: string): boolean => word.startsWith(stem) && word.length - stem.length <= 2

/** Returns the sentence at a place, and the next one: that may say what to do about it. */
function sentenceAt(said: string, at: number): string {
  const start = Math.max(...['. ', '! ', '? '].map((mark) => said.lastIndexOf(mark, at)))
  const [own = '', next] = said.slice(start < 0 ? 0 : start + 2).split(/(?<=[.!?]) (?=\S)/, 2)
  return shorten(next === undefined ? own : `${own} ${next}`, MAX.quoted)
}
