import { inFolder, normalizePath, plainPath } from '../files/paths.ts'
import { defined } from '../text/defined.ts'
import { isAmending, isCommit, readGit } from './commands.ts'
import { isScratch, writtenBy } from './command-files.ts'
import {
  commandFilesOf,
  commitsOf,
  filesOf,
  hasCommitted,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type EndedRun,
} from './runs.ts'
import type { SimpleCommand } from './shell.ts'
import { readTakingBack, restoredBy, stayingAfter, type TakingBack } from './taking-back.ts'

/** A commit, and what calls show of its files. */
interface CommitFiles {
  /** Empty where nothing has printed it. */
  hash: string
  at: number
  /** Paths and folders as commands name them; `.` stands for all. */
  paths: readonly string[]
  /** Whether it has no other files. */
  isWhole: boolean
}

/** The files that were changed and are in no commit, as far as calls show. */
export interface UncommittedFiles {
  paths: readonly string[]
  /** Whether an earlier summary had more than it named, and nothing was committed since. */
  hasOthers: boolean
  /** If all files are committed: those that were changed last, and the newest commit after that. */
  last?: { paths: readonly string[]; hash: string }
}

/** What is added to the next commit. */
interface Staged {
  paths: string[]
  isWhole: boolean
}

const MAX_COMMITS = 500
const MAX_PATHS = 200
const MAX_CHANGED = 200

/** Follows what the commands of git add, and which commits have it. */
export class CommitFileLog {
  #commits: CommitFiles[] = []
  #staged: Staged = { paths: [], isWhole: true }

  /** The files that were changed last, when, and where they are. */
  readonly #changed = new Map<string, { at: number; place: string }>()
  /** What was set back to the last commit: `.` is all. */
  #restored: { path: string; at: number }[] = []

  /**
   * Returns the files that were changed and are in no commit after that, as far as calls show.
   * @param earlier those that were in none before
   * @param deleted the places where there is no file any more
   */
  uncommitted(earlier: UncommittedFiles, deleted: ReadonlySet<string>): UncommittedFiles {
    const before = earlier.paths.map((path) => [path, { at: -1, place: '' }] as const)
    const open = [...before, ...this.#changed].filter(
      ([path, { at, place }]) =>
        !deleted.has(place) &&
        !this.#commits.some((commit) => commit.at >= at && hasFile(commit, path) !== false) &&
        !this.#restored.some(
          (one) => one.at > at && (one.path === '.' || isSame(plainPath(one.path), plainPath(path))),
        ),
    )
    const paths = open.map(([path]) => plainPath(path))
    // A path may be given from the root and from a folder on: the later one stays.
    return {
      paths: paths.filter((path, index) => !paths.slice(index + 1).some((later) => isOneFile(path, later))),
      hasOthers: earlier.hasOthers && this.#commits.length === 0,
      ...defined({ last: paths.length === 0 ? this.#lastCommitted() : undefined }),
    }
  }

  #lastCommitted(): UncommittedFiles['last'] {
    const [changed, hash] = [[...this.#changed.keys()], this.#commits.at(-1)?.hash]
    return changed.length === 0 || !hash ? undefined : { paths: changed.map(plainPath), hash }
  }

  /** Returns the commits that were not taken back, oldest first. */
  list(): readonly CommitFiles[] {
    return this.#commits
  }

  isCommitted(path: string, after: number): boolean {
    return this.#commits.some((commit) => commit.at > after && hasFile(commit, path) === true)
  }

  /** Returns the commit after a message that has one of the files; the first one where none is given. */
  about(files: readonly string[], after: number): string[] {
    const later = this.#commits.filter(({ at }) => at > after)
    const [first] = files.length === 0 ? later : []
    const having = first ?? later.findLast((commit) => files.some((file) => hasFile(commit, file) === true))
    if (having !== undefined) return [`commit ${having.hash}`.trimEnd()]
    const unknown = later.findLast((commit) => files.some((file) => hasFile(commit, file) === undefined))
    return unknown === undefined ? [] : [`${`commit ${unknown.hash}`.trimEnd()}, whose files are not known`]
  }

  /** @param at the message with the result: an index */
  read(run: EndedRun, at: number): void {
    if (outcomeOf(run).kind !== 'failed')
      for (const path of changedBy(run)) this.#change(path, { at, place: inFolder(run.folder ?? '', path) })
    if (run.command?.includes('git') !== true) return
    const commands = simpleCommandsOf(run)
    if (outcomeOf(run).kind !== 'failed') {
      for (const step of readTakingBack(commands, outputOf(run))) this.#takeBack(step)
      const restored = IS_CLEAN.test(outputOf(run)) ? ['.'] : restoredBy(commands)
      this.#restored = [...this.#restored, ...restored.map((path) => ({ path, at }))].slice(-MAX_PATHS)
    }
    const named: Staged = { paths: [], isWhole: true }
    for (const command of commands) stage(command, named)
    this.#staged = joined(this.#staged, named)
    if (!hasCommitted(run)) return
    if (commands.some(isAmending)) this.#takeBack({ kind: 'uncommit', count: 1 })
    this.#commit(run, { at, named })
  }

  #change(path: string, change: { at: number; place: string }): void {
    this.#changed.delete(path)
    if (!isScratch(path)) this.#changed.set(path, change)
    if (this.#changed.size > MAX_CHANGED) this.#changed.delete(this.#changed.keys().next().value ?? '')
  }

  /** The files of a commit that is taken back are staged again, unless they are discarded too. */
  #takeBack(step: TakingBack): void {
    const staying = stayingAfter(this.#commits, step)
    const gone = step.kind === 'uncommit' ? this.#commits.filter((commit) => !staying.includes(commit)) : []
    for (const { paths, isWhole } of gone) this.#staged = joined(this.#staged, { paths: [...paths], isWhole })
    this.#commits = staying
  }

  #commit(run: EndedRun, { at, named }: { at: number; named: Staged }): void {
    const output = outputOf(run)
    const [, count] = FILES_CHANGED.exec(output) ?? []
    const created = Array.from(output.matchAll(CREATED), ([, path = '']) => path)
    // What was staged by a commit that failed may not be staged any more: git says how many files it has.
    const isNamed = named.isWhole && named.paths.length > 0 && named.paths.length === Number(count)
    const { paths, isWhole } = isNamed ? named : this.#staged
    const hash = commitsOf(run).at(-1)?.split(' ', 1)[0] ?? ''
    this.#commits.push({ hash, at, paths: [...paths, ...created], isWhole: isWhole && paths.length > 0 })
    if (this.#commits.length > MAX_COMMITS) this.#commits.shift()
    this.#staged = { paths: [], isWhole: true }
  }
}

const changedBy = (run: EndedRun): readonly string[] =>
  run.command === undefined
    ? filesOf(run).modifiedFiles.flatMap((path) => normalizePath(path) ?? [])
    : writtenBy(commandFilesOf(run), simpleCommandsOf(run))

const IS_CLEAN = /^nothing to commit, working tree clean$/m
const FILES_CHANGED = /^ ?(\d{1,6}) files? changed/m
const CREATED = /^ ?create mode \d{6} (\S{1,300})$/gm

const joined = (staged: Staged, more: Staged): Staged => ({
  paths: [...new Set([...staged.paths, ...more.paths])].slice(-MAX_PATHS),
  isWhole: staged.isWhole && more.isWhole,
})

/** Options of `git commit` that have a value. */
const WITH_VALUE = /^(?:-[A-Za-z]{0,4}[mFCct]|--(?:message|file|author|date|fixup|squash|template|cleanup))$/

/** The signs that a shell replaces, or git. */
const PATTERN = /[$*?{}[\]`]/

/** Adds what a command of git stages to what is staged. */
function stage(command: SimpleCommand, staged: Staged): void {
  const { verb, given } = readGit(command) ?? { verb: '', given: [] }
  if (isCommit(command) && verb !== 'commit') staged.isWhole = false
  if (!STAGES.test(verb)) return
  const takesAll =
    verb === 'commit'
      ? given.some((word) => /^(?:--all|-[a-z]{0,3}a[a-z]{0,3})$/.test(word))
      : ALL.test(given.join(' '))
  const files = given.filter((word, index) => !word.startsWith('-') && !WITH_VALUE.test(given[index - 1] ?? ''))
  if (files.some((file) => PATTERN.test(file))) staged.isWhole = false
  for (const file of takesAll ? ['.', ...files] : files)
    if (!PATTERN.test(file)) staged.paths.push(file === '.' ? file : plainPath(file))
}

const STAGES = /^(?:add|stage|rm|mv|commit)$/
const ALL = /(?:^| )(?:-A|--all|-u|--update|:\/)(?: |$)/

/** Whether a commit has a file, whose path may be longer or shorter than the one that the command has; undefined where that is not known. */
function hasFile({ paths, isWhole }: CommitFiles, path: string): boolean | undefined {
  const file = plainPath(path)
  return paths.some((one) => one === '.' || isSame(one, file)) ? true : isWhole ? false : undefined
}

const isOneFile = (path: string, other: string): boolean =>
  path === other || path.endsWith(`/${other}`) || other.endsWith(`/${path}`)

/** Whether one path is the end of the other, or a folder of it. */
const isSame = (one: string, file: string): boolean =>
  isOneFile(one, file) || file.startsWith(`${one}/`) || (file.startsWith('/') && file.includes(`/${one}/`))
