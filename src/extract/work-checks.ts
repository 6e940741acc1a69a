import { CheckNames } from './check-names.ts'
import { checksOf, readCheck } from './checks.ts'
import { readCommitMessage } from './commit-message.ts'
import { onlyLooks } from './exit-status.ts'
import { FailedChecks } from './failed-checks.ts'
import { readChanges } from './file-changes.ts'
import { errorName, findErrors } from './find-errors.ts'
import { hasNotRun, type Outcome } from './outcome.ts'
import { checkedBy, failedOutput, failedTestsOf, shownCheck } from './checked-by.ts'
import { commitsOf, isCommitting, outcomeOf, outputOf, showsFailure, simpleCommandsOf, type EndedRun } from './runs.ts'
import { readTakingBack, stayingAfter, type TakingBack } from './taking-back.ts'
import { FilePlaces, Places } from './places.ts'
import { lastUpTo, type WorkCommit } from './work-item.ts'

/** A check, and its runs in order. */
export interface WorkCheck {
  command: string
  runs: { at: number; hasFailed: boolean; errors: () => readonly string[]; tests: () => string | undefined }[]
}

/** A span of messages whose work was taken back: after `from`, up to `to`. */
interface TakenBack {
  from: number
  to: number
  command: string
  isStash: boolean
}

const MAX_RUNS = 2000
const MAX_ERRORS = 8

/** Follows the checks, the changes and the commits of a session, and what was taken back of them. */
export class WorkChecks {
  readonly #checks = new Map<string, WorkCheck>()
  /** The files that were changed, by tools that change files, and those whose change has failed. */
  readonly changed = new FilePlaces()
  readonly #unchanged = new FilePlaces()
  readonly #failed = new FailedChecks<string>(new CheckNames([]))
  /** Of checks of which only the output has shown that they failed last, the command. */
  readonly #shown = new Map<string, string>()
  #commits: WorkCommit[] = []
  /** The runs of commands that do more than look, and those of checks that passed: the messages with their results. */
  readonly #runs = new Places()
  readonly passes = new Places()
  /** The runs of other commands that did not fail and do more than look: they may have changed files. */
  readonly #works = new Places()
  #takenBack: TakenBack[] = []

  /** @returns whether files may be in an older state afterwards */
  read(run: EndedRun, at: number): boolean {
    const { command } = run
    const { kind } = outcomeOf(run)
    if (command === undefined) {
      for (const { path } of readChanges(run)) {
        if (kind !== 'failed') this.#failed.change(path)
        ;(kind === 'failed' ? this.#unchanged : this.changed).add({ path, at })
      }
      return false
    }
    const isLook = onlyLooks(simpleCommandsOf(run))
    if (!isLook) this.#runs.add({ at })
    const mayChange = isLook ? WRITES.test(command) : checksOf(checkedBy(run)).length === 0
    if (mayChange && kind !== 'failed') this.#works.add({ at })
    this.#noteCheck(run, { kind, at })
    const steps = kind === 'failed' ? [] : readTakingBack(simpleCommandsOf(run))
    for (const step of steps) this.#takeBack(step, { command, at })
    // What failed beside a commit has not undone it.
    if (isCommitting(run)) this.#commit(run, command, at)
    return steps.length > 0
  }

  /** Returns the checks whose last run failed, the one that failed last at the end. */
  failing(): WorkCheck[] {
    const failed = new Set(this.#failed.values())
    const failing = [...this.#checks.values()].filter(
      (check) => check.runs.at(-1)?.hasFailed === true && failed.has(check.command) && !this.#hasPassed(check),
    )
    return failing.sort((a, b) => (a.runs.at(-1)?.at ?? 0) - (b.runs.at(-1)?.at ?? 0))
  }

  /** Returns the last run of a check after a message, if it passed. */
  passed(command: string, after: number): number | undefined {
    return this.#passed(checksOf(readCheck(command)).join(AND), after)
  }

  /** Returns the commits that were not taken back. */
  commits(): readonly WorkCommit[] {
    return this.#commits
  }

  /** Returns the last run of a command up to a message; -1 without one. Commands that only look do not count. */
  lastRun(upTo: number): number {
    return this.#runs.last(upTo)
  }

  /**
   * Returns the file whose change between two messages has failed without anything that may have changed it since, and whether another
   * change has succeeded before it.
   */
  unchangedBetween(after: number, upTo: number): { path: string; hasOthers: boolean } | undefined {
    const lost = this.#unchanged.lastPlace(upTo)
    const done = Math.max(this.changed.last(upTo), this.#works.last(upTo))
    return lost === undefined || lost.at <= Math.max(after, done)
      ? undefined
      : { path: lost.path, hasOthers: done > after }
  }

  /** Returns the command that took back what was done by a message; undefined if nothing did. */
  takenBackBy(at: number): string | undefined {
    if (this.#takenBack.length === 0) return undefined
    const commit = this.#commits[lastUpTo(this.#commits, at)]?.at ?? -1
    const last = this.changed.last(at)
    const change = last < 0 ? at : last
    // A later loss of uncommitted work does not take back the work of a commit.
    const done = change <= commit ? commit : at
    return this.#takenBack.find(({ from, to }) => from < done && done <= to)?.command
  }

  /** Records the runs of checks. Of several in one command, only a success is known of each. */
  #noteCheck(run: EndedRun, { kind, at }: { kind: Outcome['kind']; at: number }): void {
    if (hasNotRun(outcomeOf(run))) return
    const check = checkedBy(run)
    const parts = checksOf(check)
    if (kind === 'unknown') {
      // A command whose output has shown its failure shows none now.
      if (this.#shown.get(parts.join(AND)) === run.command) this.#failed.pass(check)
      else this.#failed.rerun(shownCheck(run), outputOf(run))
      return
    }
    const proven = kind === 'succeeded' ? parts.filter((part) => check.proven.includes(part)) : []
    const keys = new Set([parts.join(AND), ...proven])
    if (kind === 'succeeded') this.#failed.pass(check)
    else this.#failed.fail(check, parts.join(AND), outputOf(run))
    this.#shown.set(parts.join(AND), kind === 'failed' && showsFailure(run) ? (run.command ?? '') : '')
    if (kind === 'succeeded' && parts.length > 0) this.passes.add({ at })
    let found: readonly string[] | undefined
    // Few of them are asked for, and a long session has thousands of failed runs.
    const errors = () => (found ??= kind === 'failed' ? findErrors(failedOutput(run), MAX_ERRORS).map(errorName) : [])
    for (const key of keys) {
      if (key === '') continue
      const known = this.#checks.get(key) ?? { command: key, runs: [] }
      if (known.runs.length >= MAX_RUNS) known.runs.shift()
      known.runs.push({ at, hasFailed: kind === 'failed', errors, tests: () => failedTestsOf(run) })
      this.#checks.set(key, known)
    }
  }

  /** Whether all checks of a command have passed after its last run. */
  #hasPassed({ command, runs }: WorkCheck): boolean {
    const parts = command.split(AND)
    return parts.length > 1 && parts.every((part) => this.#passed(part, runs.at(-1)?.at ?? -1) !== undefined)
  }

  #passed(key: string, after: number): number | undefined {
    const last = this.#checks.get(key)?.runs.at(-1)
    return last !== undefined && !last.hasFailed && last.at > after ? last.at : undefined
  }

  #commit(run: EndedRun, command: string, at: number): void {
    const made = commitsOf(run)
    if (/\s--amend\b/.test(command) && (made.length > 0 || outcomeOf(run).kind !== 'failed')) this.#commits.pop()
    const message = readCommitMessage(command, simpleCommandsOf(run))
    for (const commit of made) {
      const [hash = ''] = commit.split(' ', 1)
      const subject = commit.slice(hash.length + 1)
      const body = message !== undefined && message.body.length > 0 && subject.startsWith(message.subject.slice(0, 40))
      if (!subject.startsWith('Revert "'))
        this.#commits.push({ hash, subject, ...(body && { body: message.body }), at })
    }
  }

  #takeBack(step: TakingBack, { command, at }: { command: string; at: number }): void {
    const all = this.#commits
    this.#commits = stayingAfter(all, step)
    if (step.kind === 'unstash') this.#takenBack = this.#takenBack.filter(({ isStash }) => !isStash)
    else if (step.kind === 'revert') {
      const index = all.findIndex((one) => !this.#commits.includes(one))
      const reverted = all[index]
      if (reverted !== undefined)
        this.#takenBack.push({ from: all[index - 1]?.at ?? -1, to: reverted.at, command, isStash: false })
    } else if (step.kind !== 'uncommit') {
      const from = this.#commits.at(-1)?.at ?? -1
      this.#takenBack.push({ from, to: at, command, isStash: step.kind === 'stash' })
    }
  }
}

const AND = ' && '

/** A command of programs that otherwise only look writes into a file. */
const WRITES = /\bsed\b.{0,40} -\w{0,3}i|(?<![-=\d&])>(?!&)/
