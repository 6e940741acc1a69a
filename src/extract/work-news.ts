import { baseName } from '../files/paths.ts'
import { findCommits } from './commands.ts'
import { readChanges } from './file-changes.ts'
import { checkedBy, hasEnded, isCommitting, outcomeOf, outputOf, type PairedMessages } from './runs.ts'
import { readTrackerChanges } from './tracker-calls.ts'
import { checksOf } from './work-checks.ts'
import { lastUpTo } from './work-item.ts'

/** A file that was changed, and the messages with the results of these changes: indexes, in order. */
interface ChangedFile {
  name: string
  changes: { at: number }[]
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

/** Words about work that is not committed. */
const SAYS_COMMIT =
  /\b(?:commit(?:ting)?\b(?! [\da-f]{7})|uncommitted\b|not (?:yet |been )*committed\b|git (?:add|commit|push))|\((?:modified|new|added|untracked|staged|uncommitted)\)$/im

/** The events in messages by which a later reader knows that what was said before them is not current any more. */
export class WorkNews {
  readonly #files = new Map<string, ChangedFile>()
  /** The paths of the files with a name, and the file whose name has the same letters, such as `TranscriptPanel`. */
  readonly #byName = new Map<string, string[]>()
  readonly #byLetters = new Map<string, ChangedFile>()
  /** The files that were changed in a place with a word, by the word, each with the last message of such a change. */
  readonly #words = new Map<string, Map<ChangedFile, number>>()
  /** The checks that passed last, and when. */
  readonly #passed = new Map<string, number>()
  readonly #issues = new Map<string, { word: string; at: number }>()
  readonly #changes: { at: number }[] = []
  #commit: { hash: string; at: number } | undefined
  /** The message that is read: an index. */
  #at = 0

  constructor({ messages, runs }: PairedMessages) {
    for (const [at, message] of messages.entries()) {
      this.#at = at
      const run = message.role === 'assistant' ? undefined : runs.get(message)
      if (run === undefined || !hasEnded(run)) continue
      const { kind } = outcomeOf(run)
      if (run.command !== undefined) for (const part of checksOf(checkedBy(run))) this.#check(part, kind)
      if (kind === 'succeeded' && isCommitting(run)) this.#commitAs(findCommits(outputOf(run)).at(-1)?.split(' ', 1)[0])
      for (const { tasks } of readTrackerChanges(run))
        for (const { id = '', status, word = '' } of tasks)
          if (status !== undefined && this.#issues.size < MAX_FILES) this.#issues.set(id, { word, at })
      if (kind !== 'failed') for (const change of readChanges(run)) this.#change(change)
    }
  }

  /** Returns how often a file was changed, whose path a text has whole, or from a folder on. */
  countOf(path: string): number {
    return this.#fileAt(path)?.changes.length ?? 0
  }

  /** Returns the number of changes of files after a message. */
  changesAfter(at: number): number {
    return countAfter(this.#changes, at)
  }

  /**
   * Returns what happened to the things that a text names, in a few words; undefined if nothing did.
   * @param after the message with the text, an index: only what happened after it counts
   */
  about(text: string, after = -1): string | undefined {
    const read = text.slice(0, MAX_TEXT_CHARACTERS)
    const names = [...read.matchAll(NAME)].map(([name]) => name.replace(/(?<!\.)\.+$/, ''))
    const files = new Set(names.flatMap((name) => this.#fileAt(name) ?? this.#fileCalled(name) ?? []))
    if (files.size === 0)
      for (const [word] of read.matchAll(CODE_WORD)) for (const file of this.#filesWith(word, after)) files.add(file)
    const changed = [...files].flatMap(({ name, changes }) => {
      const count = countAfter(changes, after)
      return count === 0 ? [] : [`${name} changed ${count === 1 ? 'once' : `${count} times`}`]
    })
    const issues = names.flatMap((name) => {
      const { word = '', at = -1 } = this.#issues.get(name) ?? {}
      return at > after ? [`${name} ${word}`] : []
    })
    const checks = SAYS_FAILURE.test(read) || changed.length > 0 ? this.#passedBy(read, after) : []
    const { hash, at = -1 } = this.#commit ?? {}
    const commit = at > after && SAYS_COMMIT.test(read) ? [`commit ${hash ?? ''}`] : []
    const all = [
      ...commit,
      ...new Set(issues.slice(-MAX_NAMED)),
      ...changed.slice(0, MAX_NAMED),
      ...checks.slice(-1).map((check) => `\`${check}\` passed`),
    ]
    return all.length === 0 ? undefined : all.join(', ')
  }

  /** Returns the checks that a text names and that passed after a message. */
  #passedBy(text: string, after: number): string[] {
    return [...this.#passed].flatMap(([check, at]) =>
      at > after && CHECKS.some(([said, run]) => said.test(text) && run.test(check)) ? [check] : [],
    )
  }

  #commitAs(hash: string | undefined): void {
    if (hash !== undefined) this.#commit = { hash, at: this.#at }
  }

  #check(check: string, kind: string): void {
    this.#passed.delete(check)
    if (kind !== 'succeeded') return
    this.#passed.set(check, this.#at)
    if (this.#passed.size > MAX_CHECKS) this.#passed.delete(this.#passed.keys().next().value ?? '')
  }

  #change({ path, removed, added }: { path: string; removed: string; added: string }): void {
    this.#changes.push({ at: this.#at })
    const file = this.#files.get(path) ?? { name: baseName(path), changes: [] }
    const isNew = file.changes.length === 0
    if (isNew && this.#files.size >= MAX_FILES) return
    if (isNew) this.#add(path, file)
    file.changes.push({ at: this.#at })
    for (const text of [removed, added])
      for (const [word] of text.matchAll(CODE_WORD)) {
        if (this.#words.size >= MAX_WORDS) return
        if (isCodeWord(word))
          this.#words.set(word, (this.#words.get(word) ?? new Map<ChangedFile, number>()).set(file, this.#at))
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
    // A word of many files says nothing about one of them.
    if (found === undefined || found.size > MAX_NAMED) return []
    return [...found].flatMap(([file, at]) => (at > after ? [file] : []))
  }
}

const countAfter = (changes: readonly { at: number }[], after: number): number =>
  changes.length - 1 - lastUpTo(changes, after)

const MAX_TEXT_CHARACTERS = 4000
const MIN_NAME_CHARACTERS = 6

const plain = (name: string): string => name.replace(/[^A-Za-z\d]/g, '').toLowerCase()
