import { inFolder } from '../files/paths.ts'
import { ChangedFiles, countAfter } from './changed-files.ts'
import { readChanges } from './file-changes.ts'
import { checkedBy } from './checked-by.ts'
import { CommitFileLog, type UncommittedFiles } from './commit-files.ts'
import { commandFilesOf, hasEnded, outcomeOf, type EndedRun, type PairedMessages } from './runs.ts'
import { readTrackerChanges } from './tracker-calls.ts'
import { checksOf } from './checks.ts'

/** How many issues and checks are followed. */
const MAX_ISSUES = 2000
const MAX_CHECKS = 24
const MAX_DELETED = 200

/** How many things of each kind are named. */
const MAX_NAMED = 3

/** Names of files, with or without their folders; and ids of issues. */
const NAME = /(?<![\w./-])\.{0,2}\/?[\w@-][\w@./-]{1,300}/g

/** Checks, as people name them, by a part of their commands. */
const CHECKS: readonly (readonly [said: RegExp, run: RegExp])[] = [
  [/\b[ck]ompil|\btype.?check|\btsc\b|编译/i, /compile|build|tsc|type-?check|check|test/],
  [/\btests?\b|\bspecs?\b|\bprueba|测试/i, /test|spec|jest|vitest|mocha/],
  [/\bbuild|构建/i, /build|compile/],
  [/\bcredo\b/i, /credo/],
  [/\bdialyzer\b/i, /dialyzer/],
  [/\b(?:es)?lint/i, /lint|ruff|flake8|clippy|credo/],
]

/** Checks of all code. */
const CHECKS_ALL =
  /^(?:npm|pnpm|yarn|bun|mix|cargo|go|make|mvn|gradle|dotnet|swift)(?: run)? (?:check|build|compile|test|typecheck|type-check|verify)(?: -[^\s]{1,40}){0,5}$/

const SAYS_FAILURE =
  /\b(?:errors?|fail\w*|broken|red|does not (?:compile|pass|build)|doesn['’]t (?:compile|pass|build)|Fehler\w*|fehlgeschlagen|erreurs?|échoue\w*|errores|fallan?)\b|错误|失败|报错/i

/** Words about work that is not committed. */
const SAYS_COMMIT =
  /\b(?:commit(?:ting)?\b(?! [\da-f]{7})|uncommitted\b|not (?:yet |been )*committed\b|git (?:add|commit|push))|\((?:modified|new|added|untracked|staged|uncommitted)\)$|\b(?:nicht (?:committet|eingecheckt)|non commité|sin commit)|未提交/im

/** The name of a file: the word after its point is no number. */
const FILE_NAME = /[A-Za-z_-]{2}\.[a-z]{1,5}$/

/** Words about steps that follow a commit. */
const BEYOND_COMMIT = /\b(?:push|publish|releas\w*|deploy\w*|tag|pull request)\b/i

/** The events in messages by which a later reader knows that what was said before them is not current any more. */
export class WorkNews {
  readonly #files = new ChangedFiles()
  /** The places of files that were deleted and not changed since. */
  readonly #deleted = new Set<string>()
  /** The last message in which a check has passed: an index. */
  #lastPass = -1
  /** The checks that passed last, and when. */
  readonly #passed = new Map<string, number>()
  readonly #issues = new Map<string, { word: string; at: number; isDone: boolean }>()
  /** The message that closes an issue: an index. */
  #closedAt = -1
  readonly #commits = new CommitFileLog()
  /** The message that is read: an index. */
  #at = 0

  constructor({ messages, runs }: PairedMessages) {
    for (const [at, message] of messages.entries()) {
      this.#at = at
      const run = message.role === 'assistant' ? undefined : runs.get(message)
      if (run === undefined || !hasEnded(run)) continue
      const { kind } = outcomeOf(run)
      if (run.command !== undefined) for (const part of checksOf(checkedBy(run))) this.#check(part, kind)
      this.#commits.read(run, at)
      for (const { tasks } of readTrackerChanges(run))
        for (const { id = '', status, word = '' } of tasks) {
          if (status === 'done') this.#closedAt = at
          if (status !== undefined && this.#issues.size < MAX_ISSUES)
            this.#issues.set(id, { word, at, isDone: status === 'done' })
        }
      if (kind !== 'failed') this.#changeFiles(run, at)
    }
  }

  /** Returns how often a file was changed, whose path a text has whole, or from a folder on. */
  countOf(path: string): number {
    return this.#files.at(path)?.changes.length ?? 0
  }

  /** Whether a file was deleted, and not written since. */
  isDeleted(path: string): boolean {
    const end = inFolder('', path.replace(/^(?:\.{1,2}\/)+/, ''))
    return [...this.#deleted].some((one) => one === end || one.endsWith(`/${end}`))
  }

  /** Returns the number of changes of files after a message. */
  changesAfter(at: number): number {
    return this.#files.changesAfter(at)
  }

  /**
   * Returns what happened to the things that a text names, in a few words; undefined if nothing did.
   * @param after the message with the text, an index: only what happened after it counts
   */
  about(text: string, after = -1): string | undefined {
    const { read, names, files } = this.#namedIn(text, after)
    const changed = [...files].flatMap(({ name, changes }) => {
      const count = countAfter(changes, after)
      return count === 0 ? [] : [`${name} changed ${count === 1 ? 'once' : `${count} times`}`]
    })
    const issues = names.flatMap((name) => {
      const { word = '', at = -1 } = this.#issues.get(name) ?? {}
      return at > after ? [`${name} ${word}`] : []
    })
    const named = SAYS_FAILURE.test(read) || changed.length > 0 ? this.#passedBy(read, after) : []
    const checks = named.length > 0 || changed.length === 0 ? named : this.#passedAfterLast(files)
    const commit = SAYS_COMMIT.test(read)
      ? this.#commits.about(
          names.filter((name) => FILE_NAME.test(name)),
          after,
        )
      : []
    const all = [
      ...commit,
      ...new Set(issues.slice(-MAX_NAMED)),
      ...changed.slice(0, MAX_NAMED),
      ...checks.slice(-1).map((check) => `\`${check}\` passed`),
    ]
    return all.length === 0 ? undefined : all.join(', ')
  }

  /** Whether files were changed after a message, and a check has passed after that. */
  hasPassedChanged(at: number): boolean {
    return this.#lastPass > this.#files.nextChange(at)
  }

  /**
   * Whether the agent has reported that the work on what a text names is done: it has committed, closed an issue or said so after the
   * last change; a file that was not changed, or words about more than a commit, are not reported on.
   * @param after the message with the text, an index
   * @param answers the messages in which the agent says that what was asked for is done
   */
  isReported(text: string, after: number, answers: readonly number[]): boolean {
    const { read, names, files } = this.#namedIn(text, after)
    if (BEYOND_COMMIT.test(read)) return false
    const issues = names.flatMap((name) => this.#issues.get(name) ?? [])
    if (issues.length > 0 && issues.every(({ isDone, at }) => isDone && at > after)) return true
    const { at: committed = -1 } = this.#commits.list().at(-1) ?? {}
    const isWhole = names.every((name) => !FILE_NAME.test(name) || this.#files.at(name) !== undefined)
    if (!isWhole && !(committed > after && SAYS_COMMIT.test(read))) return false
    const worked = [...files].map(({ changes }) => changes.at(-1)?.at ?? -1)
    return Math.max(committed, this.#closedAt, ...answers.slice(-1)) > Math.max(after, ...worked)
  }

  /** Whether a commit after a message has the file with a path, as far as calls show. */
  isCommitted(path: string, after = -1): boolean {
    return this.#commits.isCommitted(path, after)
  }

  /** Returns the files that were changed and are in no commit, as far as calls show. @param earlier those of an earlier summary */
  uncommitted(earlier: UncommittedFiles = { paths: [], hasOthers: false }): UncommittedFiles {
    const paths = earlier.paths.filter((path) => !this.isDeleted(path))
    return this.#commits.uncommitted({ ...earlier, paths }, this.#deleted)
  }

  /** Returns the names in a text, and the files that it names or whose words it has. */
  #namedIn(text: string, after: number) {
    const read = text.slice(0, MAX_TEXT_CHARACTERS)
    const names = [...read.matchAll(NAME)].map(([name]) => name.replace(/(?<!\.)\.+$/, ''))
    return { read, names, files: this.#files.namedBy(names, { text: read, after }) }
  }

  /** Returns the checks that a text names and that passed after a message. */
  #passedBy(text: string, after: number): string[] {
    return [...this.#passed].flatMap(([check, at]) =>
      at > after && CHECKS.some(([said, run]) => said.test(text) && run.test(check)) ? [check] : [],
    )
  }

  /** Returns the checks of all code that passed after the last change of files. */
  #passedAfterLast(files: Iterable<{ changes: readonly { at: number }[] }>): string[] {
    const last = Math.max(...Array.from(files, ({ changes }) => changes.at(-1)?.at ?? -1))
    return [...this.#passed].flatMap(([check, at]) => (at > last && CHECKS_ALL.test(check) ? [check] : []))
  }

  #changeFiles(run: EndedRun, at: number): void {
    const placeOf = (path: string): string => inFolder(run.folder ?? '', path)
    for (const change of readChanges(run)) {
      this.#files.change(change, at)
      this.#deleted.delete(placeOf(change.path))
    }
    if (run.command === undefined) return
    const { deleted, modified, created } = commandFilesOf(run)
    for (const path of deleted) if (this.#deleted.size < MAX_DELETED) this.#deleted.add(placeOf(path))
    for (const path of [...modified, ...created]) this.#deleted.delete(placeOf(path))
    if (created.includes('.')) this.#deleted.clear()
  }

  #check(check: string, kind: string): void {
    this.#passed.delete(check)
    if (kind !== 'succeeded') return
    this.#lastPass = this.#at
    this.#passed.set(check, this.#at)
    if (this.#passed.size > MAX_CHECKS) this.#passed.delete(this.#passed.keys().next().value ?? '')
  }
}

const MAX_TEXT_CHARACTERS = 4000
