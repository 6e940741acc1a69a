import { readCommitMessage, type CommitMessage } from '../../extract/commit-message.ts'
import { makesCommits } from '../../extract/commands.ts'
import { findErrors } from '../../extract/find-errors.ts'
import { findComplaints } from '../../extract/complaints.ts'
import { readChanges } from '../../extract/file-changes.ts'
import { filesOf, outcomeOf, outputOf, type ToolRun } from '../../extract/runs.ts'
import { findSentences } from '../../extract/statements.ts'
import { ANNOUNCING_PASSAGE } from '../../extract/words.ts'
import { normalizePath } from '../../files/paths.ts'
import { defined } from '../../text/defined.ts'
import { oneLine, shorten } from '../../text/shorten.ts'

/** How the work stands at the end of a conversation. */
export interface Stand {
  /** What the user answered last, in the result of a tool, if the turn goes on from there. */
  answer?: { question: string; answer: string }
  /** The question of the agent that the newest request answers. */
  asked?: string
  /** The last paragraph that the agent wrote, if it says what comes next. */
  lastWords?: string
  /** The newest commit, if it was refused: its message, and why. */
  refused?: { message?: CommitMessage; command: string; reasons: string[]; at: number }
  /** The newest edit, if it failed. */
  failedEdit?: { path: string; reason: string; at: number }
}

const MAX_REASONS = 3
const MAX_WORDS_CHARACTERS = 320
const MAX_REASON_CHARACTERS = 200
const MAX_COMMAND_CHARACTERS = 90

/** Follows what the work would go on with. */
export class StandLog {
  #stand: Stand = {}

  request(asked: string | undefined): void {
    const { refused, failedEdit } = this.#stand
    this.#stand = defined({ asked, refused, failedEdit })
  }

  answer(question: string, answer: string): void {
    this.#stand.answer = { question, answer }
  }

  say(text: string): void {
    const paragraph =
      text
        .trim()
        .split(/\n\s*\n/)
        .at(-1) ?? ''
    if (findSentences(paragraph).some((sentence) => ANNOUNCING_PASSAGE.test(sentence)))
      this.#stand.lastWords = shorten(oneLine(paragraph), MAX_WORDS_CHARACTERS)
    else delete this.#stand.lastWords
  }

  end(run: ToolRun, at: number): void {
    const { kind } = outcomeOf(run)
    if (run.command !== undefined) this.#endCommand(run.command, run, at)
    else if (kind === 'failed') this.#failEdit(run, at)
    else if (readChanges(run).some(({ path }) => path === this.#stand.failedEdit?.path)) delete this.#stand.failedEdit
  }

  stand(): Stand {
    return this.#stand
  }

  #endCommand(command: string, run: ToolRun, at: number): void {
    if (!command.includes('commit') || !makesCommits(command)) return
    const { kind } = outcomeOf(run)
    if (kind === 'succeeded') delete this.#stand.refused
    if (kind !== 'failed') return
    const output = outputOf(run)
    const complaints = findComplaints(output, MAX_REASONS)
    const reasons = complaints.length > 0 ? complaints : findErrors(output, MAX_REASONS)
    this.#stand.refused = defined({
      message: readCommitMessage(command),
      command: shorten(oneLine(command), MAX_COMMAND_CHARACTERS),
      reasons: reasons.map((line) => shorten(oneLine(line), MAX_REASON_CHARACTERS)),
      at,
    })
  }

  #failEdit(run: ToolRun, at: number): void {
    const path = normalizePath(filesOf(run).modifiedFiles[0] ?? '')
    if (path === undefined) return
    const [first = ''] = outputOf(run).replace(ERROR_TAG, '').trim().split('\n', 1)
    this.#stand.failedEdit = { path, reason: shorten(oneLine(first), MAX_REASON_CHARACTERS), at }
  }
}

/** The tag that Claude Code (2.1.39) writes around the error of a tool. */
const ERROR_TAG = /^<tool_use_error>/
