import { CheckRuns } from './check-runs.ts'
import { checkedBy } from './checked-by.ts'
import { checksOf } from './checks.ts'
import { isAmending } from './commands.ts'
import { readCommitMessage } from './commit-message.ts'
import { writtenBy } from './command-files.ts'
import { EDITS, onlyLooks, WRITES } from './exit-status.ts'
import { readChanges } from './file-changes.ts'
import {
  commandFilesOf,
  commitsOf,
  isCommitting,
  onlyReads,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type EndedRun,
  type ToolRun,
} from './runs.ts'
import { readTakingBack, stayingAfter, type TakingBack } from './taking-back.ts'
import { lastAt, lastUpTo, type WorkCommit } from './work-item.ts'

/** A span of messages whose work was taken back: after `from`, up to `to`. */
interface TakenBack {
  from: number
  to: number
  /** The message whose command took it back. */
  at: number
  command: string
  kind: TakingBack['kind']
  /** The commits that are no more. */
  commits: readonly WorkCommit[]
}

interface FilePlace {
  path: string
  at: number
}

/** Follows the checks, the changes and the commits of a session, and what was taken back of them. */
export class WorkChecks {
  /** The files that were changed, by tools that change files and by commands, and those whose change has failed. */
  readonly #changed: FilePlace[] = []
  readonly #unchanged: FilePlace[] = []
  /** The commits that were not taken back; of a quiet one, the hash is empty. */
  #commits: WorkCommit[] = []
  #known: readonly WorkCommit[] | undefined
  /** The runs of commands that do more than look: the messages with their results. */
  readonly #runs: { at: number }[] = []
  /** The runs of checks. */
  readonly runs: CheckRuns
  /** The runs of other commands that did not fail and do more than look: they may have changed files. */
  readonly #works: { at: number }[] = []
  /** The commands that edit a file in place: the messages with their results. */
  readonly #editing: { at: number }[] = []
  /** The runs that only look or have failed, and all others. */
  readonly #looks: { at: number }[] = []
  readonly #deeds: { at: number }[] = []
  #takenBack: TakenBack[] = []

  /** @param runs all runs of the session, which say how commands differ */
  constructor(runs: Iterable<ToolRun>) {
    this.runs = new CheckRuns(runs)
  }

  /** @returns whether files may be in an older state afterwards */
  read(run: EndedRun, at: number): boolean {
    const { command } = run
    const { kind } = outcomeOf(run)
    const isLook = command === undefined ? onlyReads(run) : onlyLooks(simpleCommandsOf(run)) && !WRITES.test(command)
    ;(isLook || kind === 'failed' ? this.#looks : this.#deeds).push({ at })
    if (command === undefined) {
      for (const { path } of readChanges(run)) {
        if (kind !== 'failed') this.runs.change(path)
        ;(kind === 'failed' ? this.#unchanged : this.#changed).push({ path, at })
      }
      return false
    }
    if (!onlyLooks(simpleCommandsOf(run))) this.#runs.push({ at })
    if (EDITS.test(command)) this.#editing.push({ at })
    const mayChange = !isLook && checksOf(checkedBy(run)).length === 0
    if (mayChange && kind !== 'failed') this.#works.push({ at })
    if (kind !== 'failed')
      for (const path of writtenBy(commandFilesOf(run), simpleCommandsOf(run))) this.#changed.push({ path, at })
    this.runs.note(run, { kind, at })
    const steps = kind === 'failed' ? [] : readTakingBack(simpleCommandsOf(run), outputOf(run))
    for (const step of steps) this.#takeBack(step, { command, at })
    // What failed beside a commit has not undone it.
    if (isCommitting(run)) this.#commit(run, { command, at, isRead: steps.length > 0 })
    return steps.length > 0
  }

  /** Returns the commits that were not taken back, but those whose hash is not known. */
  commits(): readonly WorkCommit[] {
    return (this.#known ??= this.#commits.filter(({ hash }) => hash !== ''))
  }

  /** Returns the last run of a command up to a message; -1 without one. Commands that only look do not count. */
  lastRun(upTo: number): number {
    return lastAt(this.#runs, upTo)
  }

  /** Returns the last change of a file up to a message; -1 without one. */
  lastChange(upTo: number): number {
    return lastAt(this.#changed, upTo)
  }

  /** The same, also by a command that edits in place and then checks: whichever of that failed, its check is about the edit. */
  lastEdit(upTo: number): number {
    return Math.max(this.lastChange(upTo), lastAt(this.#editing, upTo))
  }

  /** Whether all that was run between two messages only looks or has failed; without a run, that is not known. */
  onlyLooked(from: number, upTo: number): boolean {
    return lastAt(this.#looks, upTo) > from && lastAt(this.#deeds, upTo) <= from
  }

  /** Whether a file was changed between the first two of three messages, and again up to the third one. */
  changesAgain(first: number, second: number, third: number): boolean {
    const within = (after: number, upTo: number): string[] =>
      this.#changed.slice(lastUpTo(this.#changed, after) + 1, lastUpTo(this.#changed, upTo) + 1).map(({ path }) => path)
    const before = new Set(within(first, second))
    return within(second, third).some((path) => before.has(path))
  }

  /**
   * Returns the file whose change between two messages has failed without anything that may have changed it since, and whether another
   * change has succeeded before it.
   */
  unchangedBetween(after: number, upTo: number): { path: string; hasOthers: boolean } | undefined {
    const lost = this.#unchanged[lastUpTo(this.#unchanged, upTo)]
    const done = Math.max(this.lastChange(upTo), lastAt(this.#works, upTo))
    return lost === undefined || lost.at <= Math.max(after, done)
      ? undefined
      : { path: lost.path, hasOthers: done > after }
  }

  /**
   * Returns the command that took back what was done by a message, and the commits that it took back; undefined if nothing did.
   * @param after the command came after this message
   * @param askedAt the message that asked for the work: no commit that was there already had it
   */
  takenBackBy(
    at: number,
    { after, askedAt }: { after: number; askedAt: number },
  ): Pick<TakenBack, 'command' | 'commits'> | undefined {
    if (this.#takenBack.length === 0) return undefined
    const reverted = this.#takenBack.filter(({ kind, to }) => kind === 'revert' && to <= at).map(({ to }) => to)
    const commit = Math.max(this.#commits[lastUpTo(this.#commits, at)]?.at ?? -1, ...reverted)
    const last = this.lastChange(at)
    // A later loss of uncommitted work does not take back the work of a commit.
    const done = (last < 0 ? at : last) <= commit ? commit : at
    return this.#takenBack.find(
      (one) => one.at > after && one.from < done && done <= one.to && (one.kind !== 'revert' || askedAt <= one.to),
    )
  }

  /** @param isRead whether the command itself says what it takes back */
  #commit(run: EndedRun, { command, at, isRead }: { command: string; at: number; isRead: boolean }): void {
    const made = commitsOf(run)
    if (simpleCommandsOf(run).some(isAmending) && (made.length > 0 || outcomeOf(run).kind !== 'failed'))
      this.#commits.pop()
    const message = readCommitMessage(command, simpleCommandsOf(run))
    for (const commit of made) {
      const [, hash = '', subject = ''] = /^(\S*)(?: (.*))?$/s.exec(commit) ?? []
      const body = message !== undefined && message.body.length > 0 && subject.startsWith(message.subject.slice(0, 40))
      const [, reverted] = /^Revert "(.{1,300})"$/.exec(subject) ?? []
      const near = reverted === undefined || isRead ? [] : this.#commits.slice(-MAX_REVERTED)
      const taken = near.findLast((one) => one.subject === reverted)
      if (taken !== undefined) this.#takeBack({ kind: 'revert', count: 0, hash: taken.hash }, { command, at })
      if (reverted === undefined) this.#commits.push({ hash, subject, ...(body && { body: message.body }), at })
    }
    if (made.length === 0 && message !== undefined && outcomeOf(run).kind === 'succeeded')
      this.#commits.push({ hash: '', subject: message.subject, at })
    this.#known = undefined
  }

  #takeBack(step: TakingBack, { command, at }: { command: string; at: number }): void {
    const all = this.#commits
    this.#commits = stayingAfter(all, step)
    this.#known = undefined
    const left = new Set(this.#commits)
    const commits = all.filter((one) => !left.has(one))
    if (step.kind === 'unstash') this.#takenBack = this.#takenBack.filter(({ kind }) => kind !== 'stash')
    else if (step.kind === 'revert') {
      const [reverted] = commits
      const before = reverted === undefined ? undefined : all[all.indexOf(reverted) - 1]
      if (reverted !== undefined)
        this.#takenBack.push({ from: before?.at ?? -1, to: reverted.at, at, command, kind: step.kind, commits })
    } else if (step.kind !== 'uncommit') {
      const from = this.#commits.at(-1)?.at ?? -1
      this.#takenBack.push({ from, to: at, at, command, kind: step.kind, commits })
    }
  }
}

/** So many of the newest commits may be what a revert names: a search through all would take time that grows with their square. */
const MAX_REVERTED = 200
