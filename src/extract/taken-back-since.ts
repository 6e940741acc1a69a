import { isAmending, readGit } from './commands.ts'
import {
  commitsOf,
  endedRuns,
  isCommitting,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type EndedRun,
  type PairedMessages,
} from './runs.ts'
import type { SimpleCommand } from './shell.ts'
import { isHash, readTakingBack, stayingAfter, type TakingBack } from './taking-back.ts'
import type { WorkCommit } from './work-item.ts'

type KnownCommit = Pick<WorkCommit, 'hash' | 'subject'>

/** A commit of an earlier summary. */
export interface EarlierCommit extends KnownCommit {
  /** False where other commits may have followed it at once: it was taken back. */
  isKnownLast: boolean
}

/** The last command that has taken back a commit, or may have, or has brought it back. */
export interface LaterCommand {
  command: string
  /** Whether it has reverted the commit, and not only may have lost it. */
  isProven: boolean
}

/** Returns what messages do to commits that were made before them, by their hashes. @param earlier oldest first */
export function takenBackSince(
  paired: PairedMessages,
  earlier: readonly EarlierCommit[],
): ReadonlyMap<string, LaterCommand> {
  const later = new LaterCommits(earlier)
  if (earlier.length > 0)
    for (const run of endedRuns(paired)) if (run.command?.includes('git') === true) later.read(run, run.command)
  return later.found
}

/** The output of `git branch -D`. */
const DELETED_BRANCH = /^Deleted branch \S{1,200} \(was ([0-9a-f]{7,40})\)/gm

/** Verbs after which the last commits may be others than those that were made last. */
const MOVING = new Set(['merge', 'rebase', 'pull', 'am', 'switch', 'checkout'])

class LaterCommits {
  readonly found = new Map<string, LaterCommand>()
  readonly #earlier: readonly EarlierCommit[]
  /** The last commits, as far as they are known. */
  #last: KnownCommit[]

  constructor(earlier: readonly EarlierCommit[]) {
    this.#earlier = earlier
    this.#last = earlier.slice(earlier.findLastIndex(({ isKnownLast }) => !isKnownLast) + 1)
  }

  read(run: EndedRun, command: string): void {
    const simple = simpleCommandsOf(run)
    const { kind } = outcomeOf(run)
    const output = outputOf(run)
    if (kind !== 'failed') {
      const isSure = kind === 'succeeded' && simple.length === 1 && !/ (?:-n|--no-commit)\b/.test(command)
      // The commit of a revert says what it reverts.
      const isNamed = commitsOf(run).some((commit) => commit.includes(' Revert "'))
      const steps = readTakingBack(simple, output).filter(
        (step) => step.kind !== 'revert' || step.hash !== undefined || !isNamed,
      )
      for (const step of steps) this.#takeBack(step, { command, isSure })
      this.#restore(simple, command)
      for (const [, hash = ''] of output.matchAll(DELETED_BRANCH))
        this.#note((one) => isHash(one.hash, hash), { command, isProven: false })
    }
    if (isCommitting(run)) this.#commit(run, command)
    if (simple.some((one) => MOVING.has(readGit(one)?.verb ?? ''))) this.#last = []
  }

  #takeBack(step: TakingBack, { command, isSure }: { command: string; isSure: boolean }): void {
    const isKnown = (hash: string): boolean => this.#last.some((one) => isHash(one.hash, hash))
    const { head = '' } = step
    const exact = head !== '' && isKnown(head) ? { ...step, hash: head } : step
    if (step.kind === 'revert' && step.hash !== undefined)
      this.#note((one) => isHash(one.hash, step.hash ?? ''), { command, isProven: isSure })
    else if (exact.hash === undefined ? exact.count !== Infinity : isKnown(exact.hash)) {
      const left = new Set(stayingAfter(this.#last, exact))
      const lost = new Set(this.#last.filter((one) => !left.has(one)))
      if (step.kind !== 'uncommit') this.#note((one) => lost.has(one), { command, isProven: false })
      // A revert is a commit of its own.
      if (step.kind !== 'revert') this.#last = [...left]
    } else if (step.kind === 'discard') {
      const lost = new Set(this.#last.map(({ hash }) => hash))
      this.#note((one) => lost.has(one.hash), { command, isProven: false })
      this.#last = []
    }
  }

  /** Notes commands that name a commit which was taken back: it may be back. */
  #restore(simple: readonly SimpleCommand[], command: string): void {
    const words = simple.flatMap((one) => {
      const { verb = '', given = [] } = readGit(one) ?? {}
      return verb === 'reset' || verb === 'branch' || verb === 'cherry-pick' ? given : []
    })
    const named = words.filter((word) => /^[0-9a-f]{7,40}$/.test(word))
    this.#note((one) => this.#isTakenBack(one) && named.some((word) => isHash(one.hash, word)), {
      ...{ command, isProven: false },
    })
  }

  #commit(run: EndedRun, command: string): void {
    const made = commitsOf(run)
    if (simpleCommandsOf(run).some(isAmending)) this.#last.pop()
    // The subject of a quiet one is not known.
    else if (made.length === 0 && outcomeOf(run).kind !== 'failed') this.#last.push({ hash: '', subject: '' })
    for (const text of made) {
      const [hash = ''] = text.split(' ', 1)
      const subject = text.slice(hash.length + 1)
      const [, reverted] = /^Revert "(.{1,300})"$/.exec(subject) ?? []
      const others = [...this.#earlier, ...this.#last].filter((one) => one.subject === reverted)
      const isProven = new Set(others.map((one) => one.hash)).size === 1
      this.#note((one) => one.subject === reverted && this.found.get(one.hash)?.isProven !== true, {
        ...{ command, isProven },
      })
      this.#note((one) => this.#isTakenBack(one) && redoneOf(one.subject).includes(subject), {
        ...{ command, isProven: false },
      })
      this.#last.push({ hash, subject })
    }
  }

  #isTakenBack({ hash, isKnownLast }: EarlierCommit): boolean {
    return !isKnownLast || this.found.has(hash)
  }

  #note(isMeant: (one: EarlierCommit) => boolean, by: LaterCommand): void {
    for (const one of this.#earlier) if (isMeant(one)) this.found.set(one.hash, by)
  }
}

/** Returns the subjects of commits that bring one back. */
const redoneOf = (subject: string): string[] => [subject, `Reapply "${subject}"`, `Revert "Revert "${subject}""`]
