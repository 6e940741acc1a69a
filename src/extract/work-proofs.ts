import { defined } from '../text/defined.ts'
import { CalledOff } from './called-off.ts'
import {
  doneAt,
  doneIds,
  doneWords,
  issueOf,
  listedTasks,
  namesAll,
  plainWords,
  stemsOf,
  taskOf,
} from './same-words.ts'
import { WorkClaims } from './work-claims.ts'
import type { WorkCheck } from './check-runs.ts'
import type { WorkChecks } from './work-checks.ts'
import { quoteInState, lastUpTo, type WorkCommit, type WorkItem } from './work-item.ts'
import type { WorkTurn } from './work-turns.ts'

/** What is claimed, and when a list says that an item is done in the same words. */
interface Said {
  claims: WorkClaims
  provenAt: number | undefined
}

/** The notes of a box whose file may be an older one since it was ticked, and of one whose tick was taken away. */
export const WAS_TICKED = 'was ticked, and its file may be an older one since'
export const UNTICKED = 'its tick was taken away'

/** The beginning of the note of a box whose file was changed since it was open. */
export const MAY_BE_TICKED = 'may be ticked: its file was changed since'

/** In how many turns after it something is committed. */
const TURNS_TO_COMMIT = 2

/** How many of the checks that fail are compared with items. */
const MAX_FAILING = 24

interface Sources {
  turns: readonly WorkTurn[]
  checks: WorkChecks
  listed: readonly (WorkItem & { seenAt?: number })[]
}

/** The proofs for the states of items, and against them. */
export class WorkProofs {
  readonly turns: readonly WorkTurn[]
  readonly checks: WorkChecks
  readonly #failing: readonly WorkCheck[]
  readonly #calledOff: CalledOff

  /** The tasks of lists. */
  readonly tasks: readonly (WorkItem & { seenAt?: number })[]

  /** @param listed the items of lists */
  constructor({ turns, checks, listed }: Sources) {
    this.turns = turns
    this.tasks = listed.filter(({ kind }) => kind === 'task')
    this.checks = checks
    this.#failing = checks.runs.failing().slice(-MAX_FAILING)
    this.#calledOff = new CalledOff(turns)
  }

  /** Returns the check whose last run between two messages failed, and which never passed after that. */
  failedBefore(from: number, to: number): string | undefined {
    return this.#failing.find(({ runs }) => {
      const last = runs[lastUpTo(runs, to)]
      return last !== undefined && last.at > from && last.hasFailed
    })?.command
  }

  /** Returns the check that failed in the last run of a command between two messages, and which never passed after that. */
  failedLast(from: number, to: number): string | undefined {
    const last = this.checks.lastRun(to)
    return last > from ? this.#failing.find(({ runs }) => runs[lastUpTo(runs, to)]?.at === last)?.command : undefined
  }

  /** Whether a check has failed in its last run before a message with all the errors that it shows in its last one before another message. */
  failsAsBefore(command: string, from: number, to: number): boolean {
    const { runs = [] } = this.#failing.find((check) => check.command === command) ?? {}
    const [before, now] = [from, to].map((at) => runs[lastUpTo(runs, at)])
    const known = new Set(before?.hasFailed === true ? before.errors() : [])
    const errors = now?.errors() ?? []
    return errors.length > 0 && errors.every((error) => known.has(error))
  }

  /** Returns the commits of the turn that begins with a message. */
  commitsOf(from: number): WorkCommit[] {
    const end = this.turns[lastUpTo(this.turns, from) + 1]?.at ?? Infinity
    return this.checks.commits().filter(({ at }) => at > from && at < end)
  }

  /** Returns the first commit after a message: in the turn after it, or in the one after that. Later ones are about other work. */
  committedAfter(at: number): number | undefined {
    const end = this.turns[lastUpTo(this.turns, at) + TURNS_TO_COMMIT + 1]?.at ?? Infinity
    return this.checks.commits().find((commit) => commit.at > at && commit.at < end)?.at
  }

  /** Whether the turn after a request has changed a file that its own turn had changed. @param from its message */
  goesOnWithFiles(from: number): boolean {
    const index = lastUpTo(this.turns, from)
    const [next, after] = this.turns.slice(index + 1)
    return next !== undefined && this.checks.changesAgain(from, next.at, after?.at ?? Infinity)
  }

  /** Sets the states of items by what is said elsewhere. What speaks against an item counts last. */
  apply(items: readonly (WorkItem & { seenAt?: number })[]): void {
    const claims = new WorkClaims({ turns: this.turns, commits: this.checks.commits(), items })
    const done = doneWords(items)
    const [tasks, ids] = [listedTasks(items), doneIds(items)]
    for (const item of items) {
      const task = item.kind === 'step' && item.state === 'open' ? ids.get(issueOf(item.text) ?? '') : undefined
      if (task !== undefined) Object.assign(item, { state: 'done', ...defined({ source: task.source }) })
      const stems = stemsOf(plainWords(item.text))
      if (item.state === 'open' || item.state === 'unknown' || item.state === 'said' || item.state === 'answered')
        this.#raise(item, {
          claims,
          provenAt: doneAt(item.text, done) ?? (item.kind === 'wish' ? taskOf(item, stems, tasks) : undefined),
        })
      this.#calledOff.apply(item, stems)
      if (item.state === 'done' || item.state === 'said') this.#doubt(item)
    }
  }

  /** Sets the state of an item that a list says is done, in the same words, or that a later statement names. */
  #raise(item: WorkItem & { seenAt?: number }, { claims, provenAt }: Said): void {
    if (item.kind === 'task' || item.kind === 'box') {
      if (item.note === WAS_TICKED) this.#say(item, claims)
      else if ((item.state === 'open' && item.note !== UNTICKED) || item.note?.startsWith(MAY_BE_TICKED) === true)
        this.#say(item, claims, item.seenAt)
      return
    }
    if (provenAt !== undefined && provenAt >= item.at) Object.assign(item, { state: 'done', provenAt })
    // Of a wish with a message, the agent has said there that it is not done.
    else if (item.kind === 'step' || item.kind === 'wish')
      this.#say(item, claims, item.note === undefined ? item.at : item.provenAt)
  }

  #say(item: WorkItem, claims: WorkClaims, after = item.at): void {
    const command = RUN.exec(item.text)?.[1]
    const provenAt =
      claims.find(item, after) ??
      (command === undefined ? undefined : this.checks.runs.passed(command.replaceAll('`', ''), after))
    if (provenAt === undefined || item.state === 'said') return
    Object.assign(item, { state: 'said', provenAt })
    if (item.kind === 'wish' || item.kind === 'box') delete item.note
  }

  /** Opens an item whose work was taken back, or after which a check failed that never passed again. */
  #doubt(item: WorkItem): void {
    const { provenAt } = item
    if (provenAt === undefined || provenAt < 0) return
    // What a list or a box says after work was taken back is newer.
    const after = item.state === 'done' ? provenAt : -1
    const { command, commits = [] } = this.checks.takenBackBy(provenAt, { after, askedAt: item.at }) ?? {}
    // A list and a box are proof, unless they say that the check itself is done.
    const isRefutable = item.state === 'said' || NAMES_CHECK.test(item.text)
    const failed = command === undefined && isRefutable ? this.#failedAfter(provenAt) : undefined
    // Commits of the same turn that were not taken back stay done.
    const isPart = command !== undefined && item.kind === 'request' && this.commitsOf(item.at).length > 0
    if (isPart)
      Object.assign(item, { state: 'answered', note: `taken back in part${subjectsOf(commits)}, by \`${command}\`` })
    else if (command !== undefined) Object.assign(item, { state: 'open', note: `taken back by \`${command}\`` })
    else if (failed !== undefined) Object.assign(item, { state: 'open', note: `\`${failed}\` failed after that` })
  }

  /**
   * Returns a check that failed when it was run next, in the same turn or the one after it, and never passed again. If files were
   * changed before it ran, it may be about that newer work.
   */
  #failedAfter(at: number): string | undefined {
    const turn = lastUpTo(this.turns, at)
    const end = this.turns[turn + 2]?.at ?? Infinity
    return this.#failing.find(({ runs }) => {
      const next = runs[lastUpTo(runs, at) + 1]
      return next !== undefined && next.hasFailed && next.at < end && this.checks.lastEdit(next.at) <= at
    })?.command
  }
}

const subjectsOf = (commits: readonly WorkCommit[]): string =>
  commits.length === 0 ? '' : `: ${commits.map(({ subject }) => quoteInState(subject)).join(', ')}`

const NAMES_CHECK = /test|check|lint|build|compil|typecheck|verif|spec|prüf|проверк|тест|测试|检查|テスト|확인/i

const RUN = /^(?:re-?)?run (?:the )?(`?[a-z][^`]{2,100}`?)\.?$/i

/** Marks the commits that name a box whose tick was taken away: what they say does not count any more. */
export function markUnticked(commits: readonly WorkCommit[], items: readonly WorkItem[]): WorkCommit[] {
  const unticked = items.filter(({ note }) => note === UNTICKED).map(({ text }) => stemsOf(plainWords(text)))
  return commits.map((commit) =>
    unticked.some((stems) => namesAll(stems, stemsOf(commit.subject))) ? { ...commit, isOpen: true } : commit,
  )
}
