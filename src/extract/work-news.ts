import { readChanges } from './file-changes.ts'
import { hasEnded, outcomeOf, checkedBy, type PairedMessages } from './runs.ts'
import { readTrackerChanges } from './tracker-calls.ts'
import { checksOf } from './work-checks.ts'

/** A file that was changed, and how often. */
interface ChangedFile {
  name: string
  count: number
}

/** How many files, issues and words are followed. */
const MAX_FILES = 2000
const MAX_WORDS = 50_000
const MAX_CHECKS = 24
const MAX_SAME_NAME = 20

/** How many things of each kind are named. */
const MAX_NAMED = 3

/** Words that only code has: with an underscore, or with a capital inside. */
const CODE_WORD = /(?<![\w$])[A-Za-z_$][\w$]{4,59}(?![\w$])/g
const isCodeWord = (word: string): boolean => /[a-z\d]_[a-z\d]|[a-z\d][A-Z]/.test(word)

/** Names of files, with or without their folders; and ids of issues. */
const NAME = /(?<![\w./-])\.{0,2}\/?[\w@-][\w@./-]{1,300}/g

/** Checks, as people name them, by a part of their commands. */
const CHECKS: readonly (readonly [said: RegExp, run: RegExp])[] = [
  [/\bcompil|\btype.?check|\btsc\b/i, /compile|build|tsc|type-?check|check|test/],
  [/\btests?\b|\bspecs?\b/i, /test|spec|jest|vitest|mocha/],
  [/\bbuild/i, /build|compile/],
  [/\bcredo\b/i, /credo/],
  [/\bdialyzer\b/i, /dialyzer/],
  [/\b(?:es)?lint/i, /lint|ruff|flake8|clippy|credo/],
]

const SAYS_FAILURE =
  /\b(?:errors?|fail\w*|broken|red|does not (?:compile|pass|build)|doesn['’]t (?:compile|pass|build))\b/i

/** The events in messages by which a later reader knows that what was said before them is not current any more. */
export class WorkNews {
  readonly #files = new Map<string, ChangedFile>()
  /** The paths of the files with a name, and the file whose name has the same letters, such as `TranscriptPanel`. */
  readonly #byName = new Map<string, string[]>()
  readonly #byLetters = new Map<string, ChangedFile>()
  /** The files that were changed in a place with a word, by the word. */
  readonly #words = new Map<string, Set<ChangedFile>>()
  /** The checks that passed last. */
  readonly #passed = new Set<string>()
  readonly #issues = new Map<string, string>()

  constructor({ messages, runs }: PairedMessages) {
    for (const message of messages) {
      const run = message.role === 'assistant' ? undefined : runs.get(message)
      if (run === undefined || !hasEnded(run)) continue
      const { kind } = outcomeOf(run)
      if (run.command !== undefined) for (const part of checksOf(checkedBy(run))) this.#check(part, kind)
      for (const { tasks } of readTrackerChanges(run))
        for (const { id = '', status, word = '' } of tasks)
          if (status !== undefined && this.#issues.size < MAX_FILES) this.#issues.set(id, word)
      if (kind !== 'failed') for (const change of readChanges(run)) this.#change(change)
    }
  }

  /** Returns how often a file was changed, whose path a text has whole, or from a folder on. */
  countOf(path: string): number {
    return this.#fileAt(path)?.count ?? 0
  }

  /** Returns what happened to the things that a text names, in a few words; undefined if nothing did. */
  about(text: string): string | undefined {
    const read = text.slice(0, MAX_TEXT_CHARACTERS)
    const names = [...read.matchAll(NAME)].map(([name]) => name.replace(/(?<!\.)\.+$/, ''))
    const files = new Set(names.flatMap((name) => this.#fileAt(name) ?? this.#fileCalled(name) ?? []))
    if (files.size === 0)
      for (const [word] of read.matchAll(CODE_WORD)) for (const file of this.#filesWith(word)) files.add(file)
    const issues = names
      .filter((name) => this.#issues.has(name))
      .map((name) => `${name} ${this.#issues.get(name) ?? ''}`)
    const named = [...this.#passed].filter((check) => CHECKS.some(([said, run]) => said.test(read) && run.test(check)))
    const checks = SAYS_FAILURE.test(read) || files.size > 0 ? named : []
    if (files.size + issues.length + checks.length === 0) return undefined
    return [
      ...new Set(issues.slice(-MAX_NAMED)),
      ...[...files]
        .slice(0, MAX_NAMED)
        .map(({ name, count }) => `${name} changed ${count === 1 ? 'once' : `${count} times`}`),
      ...checks.slice(-1).map((check) => `\`${check}\` passed`),
    ].join(', ')
  }

  #check(check: string, kind: string): void {
    this.#passed.delete(check)
    if (kind !== 'succeeded') return
    this.#passed.add(check)
    if (this.#passed.size > MAX_CHECKS) this.#passed.delete(this.#passed.keys().next().value ?? '')
  }

  #change({ path, removed, added }: { path: string; removed: string; added: string }): void {
    const file = this.#files.get(path) ?? { name: lastPart(path), count: 0 }
    if (file.count === 0 && this.#files.size >= MAX_FILES) return
    if (file.count === 0) this.#add(path, file)
    file.count += 1
    for (const text of [removed, added])
      for (const [word] of text.matchAll(CODE_WORD)) {
        if (this.#words.size >= MAX_WORDS) return
        if (isCodeWord(word)) this.#words.set(word, (this.#words.get(word) ?? new Set()).add(file))
      }
  }

  #add(path: string, file: ChangedFile): void {
    this.#files.set(path, file)
    this.#byLetters.set(plain(file.name.replace(/\.\w{1,8}$/, '')), file)
    const paths = this.#byName.get(file.name) ?? []
    if (paths.length < MAX_SAME_NAME) this.#byName.set(file.name, [...paths, path])
  }

  #fileAt(name: string): ChangedFile | undefined {
    if (!/[./]/.test(name.slice(1))) return undefined
    const end = name.replace(/^(?:\.{1,2}\/)+/, '')
    const path = this.#byName.get(lastPart(end))?.find((one) => one === end || one.endsWith(`/${end}`))
    return path === undefined ? undefined : this.#files.get(path)
  }

  /** Returns the file of a module: `TranscriptPanel` is in `transcript_panel.ex`. */
  #fileCalled(name: string): ChangedFile | undefined {
    const bare = plain(name)
    return isCodeWord(name) && bare.length >= MIN_NAME_CHARACTERS ? this.#byLetters.get(bare) : undefined
  }

  #filesWith(word: string): ReadonlySet<ChangedFile> {
    const found = isCodeWord(word) ? this.#words.get(word) : undefined
    // A word of many files says nothing about one of them.
    return found !== undefined && found.size <= MAX_NAMED ? found : new Set()
  }
}

const MAX_TEXT_CHARACTERS = 4000
const MIN_NAME_CHARACTERS = 6

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const plain = (name: string): string => name.replace(/[^A-Za-z\d]/g, '').toLowerCase()
