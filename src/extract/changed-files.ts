import { baseName } from '../files/paths.ts'
import { lastUpTo } from './work-item.ts'

/** A file that was changed, and the messages with the results of these changes: indexes, in order. */
interface ChangedFile {
  name: string
  changes: { at: number }[]
}

/** How many files and words are followed. */
const MAX_FILES = 2000
const MAX_WORDS = 50_000
const MAX_SAME_NAME = 20

/** A word of more files than this says nothing about one of them. */
const MAX_FILES_OF_WORD = 3

/** Words that only code has: with an underscore, or with a capital inside. */
const CODE_WORD = /(?<![\w$])[A-Za-z_$][\w$]{4,59}(?![\w$])/g
const isCodeWord = (word: string): boolean => /[a-z\d]_[a-z\d]|[a-z\d][A-Z]/.test(word)

/** The files that were changed, as texts name them. */
export class ChangedFiles {
  readonly #files = new Map<string, ChangedFile>()
  /** The paths of the files with a name, and the file whose name has the same letters, such as `TranscriptPanel`. */
  readonly #byName = new Map<string, string[]>()
  readonly #byLetters = new Map<string, ChangedFile>()
  /** The files that were changed in a place with a word, by the word, each with the last message of such a change. */
  readonly #words = new Map<string, Map<ChangedFile, number>>()
  readonly #changes: { at: number }[] = []

  /** @param at the message with the result of the change: an index */
  change({ path, removed, added }: { path: string; removed: string; added: string }, at: number): void {
    this.#changes.push({ at })
    const file = this.#files.get(path) ?? { name: baseName(path), changes: [] }
    const isNew = file.changes.length === 0
    if (isNew && this.#files.size >= MAX_FILES) return
    if (isNew) this.#add(path, file)
    file.changes.push({ at })
    for (const text of [removed, added])
      for (const [word] of text.matchAll(CODE_WORD)) {
        if (this.#words.size >= MAX_WORDS) return
        if (isCodeWord(word))
          this.#words.set(word, (this.#words.get(word) ?? new Map<ChangedFile, number>()).set(file, at))
      }
  }

  /** Returns the number of changes after a message. */
  changesAfter(at: number): number {
    return countAfter(this.#changes, at)
  }

  /** Returns the message of the first change after another one: an index; Infinity without one. */
  nextChange(at: number): number {
    return this.#changes[lastUpTo(this.#changes, at) + 1]?.at ?? Infinity
  }

  /** Returns the files that a text names; where it names none, those that were changed after a message in a place with one of its words. */
  namedBy(names: readonly string[], { text, after }: { text: string; after: number }): ReadonlySet<ChangedFile> {
    const files = new Set(names.flatMap((name) => this.at(name) ?? this.#fileCalled(name) ?? []))
    if (files.size === 0)
      for (const [word] of text.matchAll(CODE_WORD)) for (const file of this.#filesWith(word, after)) files.add(file)
    return files
  }

  #add(path: string, file: ChangedFile): void {
    this.#files.set(path, file)
    this.#byLetters.set(plain(file.name.replace(/\.\w{1,8}$/, '')), file)
    const paths = this.#byName.get(file.name) ?? []
    if (paths.length < MAX_SAME_NAME) this.#byName.set(file.name, [...paths, path])
  }

  /** Returns the file with a path, which may begin at any folder of it. */
  at(name: string): ChangedFile | undefined {
    if (!/[./]/.test(name.slice(1))) return undefined
    const end = name.replace(/^(?:\.{1,2}\/)+/, '')
    const path = this.#byName.get(baseName(end))?.find((one) => one === end || one.endsWith(`/${end}`))
    return path === undefined ? undefined : this.#files.get(path)
  }

  /** Returns the file of a module: `TranscriptPanel` is in `transcript_panel.ex`. */
  #fileCalled(name: string): ChangedFile | undefined {
    const bare = plain(name)
    return isCodeWord(name) && bare.length >= MIN_NAME_CHARACTERS ? this.#byLetters.get(bare) : undefined
  }

  #filesWith(word: string, after: number): ChangedFile[] {
    const found = isCodeWord(word) ? this.#words.get(word) : undefined
    if (found === undefined || found.size > MAX_FILES_OF_WORD) return []
    return [...found].flatMap(([file, at]) => (at > after ? [file] : []))
  }
}

/** Returns the number of changes after a message. */
export const countAfter = (changes: readonly { at: number }[], after: number): number =>
  changes.length - 1 - lastUpTo(changes, after)

const MIN_NAME_CHARACTERS = 6

const plain = (name: string): string => name.replace(/[^A-Za-z\d]/g, '').toLowerCase()
