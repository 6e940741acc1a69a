import { excerptOf } from '../../extract/cut-request.ts'
import type { SessionWork } from '../../extract/work-item.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { asksForNothing, readClientText, readUserAnswers, readUserText, spokenText } from '../../extract/user-text.ts'
import { isGoOn } from '../../extract/go-on.ts'
import { withoutEnvelope } from '../../extract/error-lines.ts'
import { defined } from '../../text/defined.ts'
import { oneLine } from '../../text/shorten.ts'
import { filesOf, outcomeOf, outputOf, hasCommitted, type ToolRun, type ToolRuns } from '../../extract/runs.ts'
import { normalizePath } from '../../files/paths.ts'
import { taskToolKind } from '../../files/tools.ts'
import { toolCallsOf, type AssistantMessage, type Message, type ToolResultMessage } from '../../session/message.ts'
import { CommandLog } from './command-log.ts'
import { DocumentLog } from './document-log.ts'
import { CALL_OUTCOMES, describeCall, FileLog } from './file-log.ts'
import { StandLog } from './stand-log.ts'
import { ReadFiles } from './read-files.ts'
import { TurnLog } from './turn-log.ts'
import { WordsLog } from './words-log.ts'
import type { FileFact, SessionFacts } from './facts.ts'
import type { Focus } from './focus.ts'

interface Around {
  runs: ToolRuns
  files: readonly FileFact[]
  focus: Focus | undefined
  work: SessionWork
}

/** Reads the messages of a conversation, one after the other, and hands them to the logs of what it extracts. */
export class ConversationReader {
  readonly #turns = new TurnLog()
  readonly #commands: CommandLog
  readonly #documents: DocumentLog
  readonly #files: FileLog
  readonly #words = new WordsLog()
  readonly #readFiles = new ReadFiles()
  #firstRequest: string | undefined
  #wholeRequest: string | undefined
  readonly #runs: ToolRuns
  /** The messages of requests, indexes: words to go on begin no turn of their own. */
  readonly #requests: ReadonlySet<number>
  readonly #focus: Focus | undefined
  readonly #stand = new StandLog()
  #at = 0
  #lastCall: { run: ToolRun; outcome: string } | undefined

  constructor({ runs, files, focus, work }: Around) {
    this.#requests = new Set(work.items.flatMap(({ kind, at }) => (kind === 'request' ? [at] : [])))
    this.#runs = runs
    this.#focus = focus
    this.#commands = new CommandLog(runs.values())
    this.#files = new FileLog(files)
    this.#documents = new DocumentLog(focus)
  }

  read(message: Message, at: number): void {
    this.#turns.moveTo(at)
    this.#at = at
    switch (message.role) {
      case 'user':
        this.#readRequest(readUserText(message))
        break
      case 'assistant':
        this.#readAnswer(message)
        break
      case 'toolResult':
        this.#readResult(message)
        break
      case 'bashExecution':
        this.#endRun(this.#runs.get(message) ?? {})
        break
      case 'branchSummary':
      case 'compactionSummary':
        this.#turns.note(message.summary)
        break
      default:
        this.#words.hear(readClientText(message.content))
    }
  }

  facts(
    work: SessionWork,
    news: WorkNews,
  ): Omit<SessionFacts, 'constraints' | 'said' | 'course' | 'focus' | 'waiting'> {
    const isOpen = work.items.findLast(({ kind }) => kind === 'request')?.state === 'open'
    const { openQuestion, ...words } = this.#words.facts(isOpen, news)
    const lastCall = work.isInTurn && work.following === undefined ? this.#lastCall : undefined
    return {
      ...defined({
        firstRequest: this.#firstRequest,
        newestRequest: this.#wholeRequest && excerptOf(this.#wholeRequest),
        wholeRequest: this.#wholeRequest,
        openQuestion,
        lastCall: lastCall && `${describeCall(lastCall.run)}: ${lastCall.outcome}`,
      }),
      ...words,
      stand: this.#stand.stand(news, work.failing),
      turns: this.#turns.list(work.items, news, this.#focus),
      work,
      commands: this.#commands.commands(),
      errors: this.#commands.errors(),
      edits: this.#commands.edits(),
      files: this.#files.files(),
      readFiles: this.#readFiles.files(),
      documents: this.#documents.documents(),
    }
  }

  #readRequest(text: string | undefined): void {
    if (text === undefined) return
    this.#stand.request(text, this.#words.request(text))
    if (!isGoOn(text)) this.#wholeRequest = text
    if (!asksForNothing(text)) this.#firstRequest ??= excerptOf(text)
    if (this.#requests.has(this.#at)) this.#turns.begin(text)
    if (!asksForNothing(text)) this.#commands.request()
    this.#lastCall = undefined
  }

  #readAnswer(message: AssistantMessage): void {
    for (const call of toolCallsOf(message)) {
      const run = this.#runs.get(call) ?? { call }
      // The plan stands among the next steps.
      if (taskToolKind(call.name) === undefined) this.#lastCall = { run, outcome: 'no result yet' }
      for (const path of outcomeOf(run).kind === 'failed' ? [] : filesOf(run).modifiedFiles)
        this.#turns.change(normalizePath(path))
    }
    if (message.stopReason === 'error' && message.errorMessage !== undefined) this.#commands.stop(message.errorMessage)
    this.#readWords(spokenText(message))
  }

  #readResult(message: ToolResultMessage): void {
    const run = this.#runs.get(message) ?? { result: message }
    for (const answer of readUserAnswers(message, run.call)) {
      this.#stand.answer(oneLine(this.#words.reply(answer) ?? ''), oneLine(answer.answer))
    }
    this.#endRun(run)
    const { kind } = outcomeOf(run)
    if (kind !== 'failed') {
      this.#readFiles.read(run)
      for (const path of this.#files.change(run)) {
        this.#commands.change(path)
        this.#readFiles.change(path)
      }
      this.#documents.result(run, withoutEnvelope(outputOf(run)))
    }
    if (run.call !== undefined && run.call === this.#lastCall?.run.call) this.#lastCall.outcome = CALL_OUTCOMES[kind]
  }

  #endRun(run: ToolRun): void {
    this.#commands.end(run)
    this.#stand.end(run, this.#at)
    if (hasCommitted(run)) this.#turns.commit()
  }

  #readWords(text: string): void {
    if (text.trim() === '') return
    this.#turns.say(text)
    for (const log of [this.#stand, this.#words]) log.say(text, this.#at)
  }
}
