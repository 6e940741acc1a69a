import { wrapCompactSummary } from '../apis/claude-code-text.ts'
import { answerBlock, resultBlock, userBlock } from '../apis/write-anthropic.ts'
import { API_SUPPORT } from '../shared/fit-turn.ts'
import type { AssistantTurn, UserTurn } from '../shared/turns.ts'
import { joinTexts, modelOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'

/** A session of Claude Code (2.1.330), as it is after `/compact`: a boundary, the summary, and the messages after it. */
export const claudeCodeWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: { ...API_SUPPORT, errorMessages: true },
  write(draft) {
    const file = new SessionFile(draft)
    file.addCompaction()
    for (const turn of draft.turns) {
      if (turn.role === 'user') file.addUser(turn)
      else file.addAnswer(turn)
    }
    return toLines(file.lines)
  },
}

/** The words after the summary: in a new session, there are no earlier lines to find details in. */
const ENDING = 'from before this summary, ask the user.\nContinue the conversation from where it left off.'

class SessionFile {
  readonly lines: object[] = []
  readonly #draft: NewSessionDraft
  readonly #common: object
  #parentUuid: string | null = null

  constructor(draft: NewSessionDraft) {
    this.#draft = draft
    this.#common = {
      isSidechain: false,
      userType: 'external',
      cwd: draft.cwd,
      sessionId: draft.newUuid(),
      version: '2.1.330',
      gitBranch: '',
    }
  }

  addCompaction(): void {
    const { summary, facts } = this.#draft
    this.#add({
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: facts.tokensBefore },
    })
    const message = { role: 'user', content: wrapCompactSummary(summary, ENDING) }
    this.#add({ type: 'user', message, isVisibleInTranscriptOnly: true, isCompactSummary: true })
  }

  addUser({ parts, isClients, shell }: UserTurn): void {
    if (shell !== undefined) {
      this.#addUser(`<bash-input>${shell.command}</bash-input>`)
      this.#addUser(`<bash-stdout>${shell.output}</bash-stdout><bash-stderr></bash-stderr>`)
      return
    }
    const isText = parts.every(({ type }) => type === 'text')
    this.#addUser(isText ? joinTexts(parts) : parts.map(userBlock), isClients ? { isMeta: true } : {})
  }

  /** Claude Code writes each block of an answer, and each result, on a line of its own. */
  addAnswer(turn: AssistantTurn): void {
    const { parts, errorMessage } = turn
    const calls = parts.filter((part) => part.type === 'call')
    const model = modelOf(turn)
    const fields = { id: `msg_${this.#draft.newId()}`, type: 'message', role: 'assistant' }
    const end = { stop_reason: stopReasonOf(turn), stop_sequence: null, usage: NO_USAGE }
    for (const part of parts)
      this.#add({ type: 'assistant', message: { ...fields, model, content: [answerBlock(part)], ...end } })
    if (errorMessage !== undefined) {
      const content = [{ type: 'text', text: errorMessage }]
      const message = { ...fields, model: '<synthetic>', content, ...end, stop_reason: 'stop_sequence' }
      this.#add({ type: 'assistant', message, isApiErrorMessage: true })
    }
    for (const call of calls) this.#addUser([resultBlock(call)])
  }

  #addUser(content: unknown, more: object = {}): void {
    this.#add({ type: 'user', message: { role: 'user', content }, ...more })
  }

  #add(line: object): void {
    const uuid = this.#draft.newUuid()
    const parentUuid = this.#parentUuid
    this.lines.push({ parentUuid, ...line, uuid, timestamp: this.#draft.nextTime(), ...this.#common })
    this.#parentUuid = uuid
  }
}

/** Zeros: with the size of the old context, the client would compact again. */
const NO_USAGE = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
}

function stopReasonOf({ parts, stopReason }: AssistantTurn): string | null {
  if (parts.some(({ type }) => type === 'call')) return 'tool_use'
  return stopReason === 'length' ? 'max_tokens' : 'end_turn'
}
