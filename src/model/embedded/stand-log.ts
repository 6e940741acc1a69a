import { checkName } from '../../extract/check-names.ts'
import { checksOf } from '../../extract/checks.ts'
import { readCommitMessage, type CommitMessage } from '../../extract/commit-message.ts'
import { onlyLooks } from '../../extract/exit-status.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { findComplaints } from '../../extract/complaints.ts'
import { readChanges } from '../../extract/file-changes.ts'
import { SINCE_THEN } from '../../extract/find-work.ts'
import { checkedBy } from '../../extract/checked-by.ts'
import {
  filesOf,
  hasCommitted,
  isCommitting,
  outcomeOf,
  outputOf,
  simpleCommandsOf,
  type ToolRun,
} from '../../extract/runs.ts'
import { isGoOn } from '../../extract/go-on.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { baseName, normalizePath } from '../../files/paths.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { AnnouncedWords, type Announced } from './announced-words.ts'

/** How the work stands at the end of a conversation. */
export interface Stand extends Announced {
  /** What the user answered last, in the result of a tool, if the turn goes on from there. */
  answer?: { question: string; answer: string }
  /** The question of the agent that the newest request answers. */
  asked?: string
  /** The words by which the user goes on with the newest request. */
  goAhead?: string
  /** The file that was changed last. */
  lastChange?: { path: string; at: number }
  /** The newest commit, if it was refused: its message, and why. */
  refused?: { message?: CommitMessage; command: string; reasons: string[]; at: number }
  /** What the newest check complains about that nothing has happened to since. */
  complaints?: Complaints
  /** The newest command that is neither a check nor a commit, if it failed. */
  failedCommand?: Complaints
  /** The newest edit, if it failed. */
  failedEdit?: { path: string; reason: string; at: number }
}

interface Complaints {
  command: string
  /** Whether it has failed: once it does not fail any more, its complaints are over. */
  hasFailed?: boolean
  reasons: string[]
  at: number
}

const MAX_REASONS = 3
const MAX_REASON_CHARACTERS = 200
const MAX_COMMAND_CHARACTERS = 90

/** Follows what the work would go on with. */
export class StandLog {
  #stand: Stand = {}
  readonly #announced = new AnnouncedWords()
  /** Of the newest run of each check since the last try to commit, which runs the checks that count. */
  readonly #complaints = new Map<string, Complaints>()

  /** @param asked the question that the request answers */
  request(text: string, asked: string | undefined): void {
    const { refused, failedEdit, failedCommand, lastChange } = this.#stand
    const goAhead = isGoOn(text) ? text : undefined
    this.#announced.request(goAhead !== undefined)
    this.#stand = defined({
      asked,
      refused,
      failedEdit,
      lastChange,
      goAhead,
      failedCommand: goAhead === undefined ? undefined : failedCommand,
    })
  }

  answer(question: string, answer: string): void {
    this.#stand.answer = { question, answer }
  }

  say(text: string, at: number): void {
    this.#announced.say(text, at)
  }

  end(run: ToolRun, at: number): void {
    const { kind } = outcomeOf(run)
    const changes = kind === 'failed' ? [] : readChanges(run)
    for (const { path } of changes) this.#stand.lastChange = { path, at }
    this.#announced.end(kind === 'failed' ? undefined : changes.map(({ path }) => baseName(path)))
    if (run.command !== undefined) this.#endCommand(run.command, run, at)
    else if (kind === 'failed') this.#failEdit(run, at)
    else if (changes.some(({ path }) => path === this.#stand.failedEdit?.path)) delete this.#stand.failedEdit
  }

  /**
   * @param news what happened since to what a reason names: it may be no reason any more
   * @param failing the checks that fail at the end
   */
  stand(news: WorkNews, failing: readonly { at: number }[]): Stand {
    const { refused, failedCommand } = this.#stand
    const complaints = [...this.#complaints.values()]
      .filter(({ hasFailed, at }) => hasFailed !== true || failing.some((check) => check.at === at))
      .map((one) => ({ ...one, reasons: one.reasons.filter((reason) => news.about(reason, one.at) === undefined) }))
      .findLast(({ reasons }) => reasons.length > 0)
    return defined({
      ...this.#stand,
      ...this.#announced.words(),
      complaints,
      failedCommand: failedCommand && {
        ...failedCommand,
        reasons: failedCommand.reasons.map((reason) => markReason(reason, failedCommand.at, news)),
      },
      refused: refused && {
        ...refused,
        reasons: refused.reasons.map((reason) => markReason(reason, refused.at, news)),
      },
    })
  }

  #endCommand(command: string, run: ToolRun, at: number): void {
    const { kind } = outcomeOf(run)
    const named = { command: shorten(oneLine(command), MAX_COMMAND_CHARACTERS), at }
    if (!command.includes('commit') || !isCommitting(run)) {
      if (checksOf(checkedBy(run)).length > 0) this.#check(run, named)
      else if (!onlyLooks(simpleCommandsOf(run))) this.#run(run, named)
      return
    }
    const isMade = hasCommitted(run)
    if (kind === 'unknown' && !isMade) return
    delete this.#stand.failedCommand
    this.#complaints.clear()
    if (isMade) {
      delete this.#stand.refused
      return
    }
    const output = outputOf(run)
    const complaints = findComplaints(output, MAX_REASONS)
    const reasons = complaints.length > 0 ? complaints : findErrors(output, MAX_REASONS)
    this.#stand.refused = defined({
      message: readCommitMessage(command, simpleCommandsOf(run)),
      reasons: reasons.map(shortenReason),
      ...named,
    })
  }

  /** Records what a check complains about: a run that says nothing of it replaces one that did. */
  #check(run: ToolRun, named: Omit<Complaints, 'reasons'>): void {
    const key = checkName(checkedBy(run))
    this.#complaints.delete(key)
    const { kind } = outcomeOf(run)
    const complaints = kind === 'succeeded' ? [] : findComplaints(outputOf(run), MAX_REASONS)
    const found = complaints.length > 0 || kind !== 'failed' ? complaints : findErrors(outputOf(run), 1)
    if (found.length > 0)
      this.#complaints.set(key, { ...named, hasFailed: kind === 'failed', reasons: found.map(shortenReason) })
  }

  /** Records a command that is neither a check nor a commit: the newest one counts. */
  #run(run: ToolRun, named: Omit<Complaints, 'reasons'>): void {
    const { kind, isRefused } = outcomeOf(run)
    delete this.#stand.failedCommand
    if (kind !== 'failed' || isRefused === true) return
    const reasons = findErrors(outputOf(run), MAX_REASONS).map(shortenReason)
    this.#stand.failedCommand = { ...named, reasons }
  }

  #failEdit(run: ToolRun, at: number): void {
    const path = normalizePath(filesOf(run).modifiedFiles[0] ?? '')
    if (path === undefined) return
    const [first = ''] = outputOf(run).replace(ERROR_TAG, '').trim().split('\n', 1)
    this.#stand.failedEdit = { path, reason: shorten(oneLine(first), MAX_REASON_CHARACTERS), at }
  }
}

const shortenReason = (line: string): string => shorten(oneLine(line), MAX_REASON_CHARACTERS)

/** Returns a reason with what happened since to the files that it names. */
function markReason(reason: string, at: number, news: WorkNews): string {
  const since = news.about(reason, at)
  return since === undefined ? reason : `${reason} (${SINCE_THEN}${since})`
}

/** The tag that Claude Code (2.1.39) writes around the error of a tool. */
const ERROR_TAG = /^<tool_use_error>/
