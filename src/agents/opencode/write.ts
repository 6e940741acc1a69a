import { ALL_CONTENT } from '../shared/fit-turn.ts'
import type { AssistantTurn, Call, UserPart, UserTurn } from '../shared/turns.ts'
import { joinTexts, modelOf, resultOf, type NewSessionDraft, type SessionWriter } from '../writer.ts'
import { opencodeId } from './append.ts'

/** A session for `opencode import` (1.18.33): a compaction, its summary, and the messages after it. */
export const opencodeWriter: SessionWriter = {
  contentType: 'application/json',
  supports: { ...ALL_CONTENT, resultImages: false },
  write(draft) {
    const file = new ImportFile(draft)
    file.addCompaction()
    for (const turn of draft.turns) {
      if (turn.role === 'user') file.addUser(turn)
      else file.addAnswer(turn)
    }
    return JSON.stringify({ info: file.info, messages: file.messages })
  },
}

class ImportFile {
  readonly messages: object[] = []
  readonly info: object
  readonly #draft: NewSessionDraft
  readonly #sessionID: string
  #userId = ''
  #newestId = 0

  constructor(draft: NewSessionDraft) {
    this.#draft = draft
    const { nowMs } = draft.facts
    this.#sessionID = this.#newId('ses')
    this.info = {
      id: this.#sessionID,
      slug: `session-${draft.newId().slice(0, 8)}`,
      projectID: 'global',
      directory: draft.cwd,
      title: 'Continued session',
      version: '1.18.33',
      time: { created: nowMs, updated: nowMs },
    }
  }

  addCompaction(): void {
    this.#addUser([{ type: 'compaction', auto: false }])
    const info = { mode: 'compaction', agent: 'compaction', summary: true, finish: 'stop' }
    this.#addAnswer({ ...info, ...namesOf({}) }, [
      { type: 'text', text: `<summary>\n${this.#draft.summary}\n</summary>` },
    ])
  }

  addUser({ parts, isClients }: UserTurn): void {
    const mark = isClients ? { synthetic: true } : {}
    this.#addUser(parts.map((part) => (part.type === 'text' ? { ...part, ...mark } : filePart(part))))
  }

  addAnswer(turn: AssistantTurn): void {
    const { parts, errorMessage, stopReason } = turn
    const hasCalls = parts.some(({ type }) => type === 'call')
    const finish = hasCalls ? 'tool-calls' : stopReason === 'toolUse' ? 'stop' : (stopReason ?? 'stop')
    const isAborted = stopReason === 'aborted'
    const error = { name: isAborted ? 'MessageAbortedError' : 'UnknownError', data: { message: errorMessage } }
    const info = errorMessage === undefined ? { finish } : { error }
    const time = this.#draft.nextMs()
    this.#addAnswer(
      { mode: 'build', agent: 'build', ...namesOf(turn), ...info },
      parts.map((part) => {
        if (part.type === 'call') return toolPart(part, time)
        if (part.type === 'text') return { type: 'text', text: part.text }
        return { type: 'reasoning', text: part.thinking, time: { start: time, end: time } }
      }),
    )
  }

  #addUser(parts: readonly object[]): void {
    const { modelID, providerID } = namesOf({})
    const info = { role: 'user', agent: 'build', model: { providerID, modelID }, summary: { diffs: [] } }
    this.#userId = this.#add({ ...info, time: { created: this.#draft.nextMs() } }, parts)
  }

  #addAnswer(info: object, parts: readonly object[]): void {
    const created = this.#draft.nextMs()
    this.#add(
      {
        role: 'assistant',
        parentID: this.#userId,
        path: { cwd: this.#draft.cwd, root: '/' },
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created, completed: created },
        ...info,
      },
      parts,
    )
  }

  #add(info: object, parts: readonly object[]): string {
    const sessionID = this.#sessionID
    const messageID = this.#newId('msg')
    const own = parts.map((part) => ({ ...part, id: this.#newId('prt'), sessionID, messageID }))
    this.messages.push({ info: { ...info, id: messageID, sessionID }, parts: own })
    return messageID
  }

  #newId(prefix: 'ses' | 'msg' | 'prt'): string {
    this.#newestId += 1
    return opencodeId(prefix, {
      atMs: this.#draft.facts.nowMs,
      count: this.#newestId,
      random: this.#draft.newId(),
    })
  }
}

const namesOf = (turn: Pick<AssistantTurn, 'model' | 'provider'>) => ({
  modelID: modelOf(turn),
  providerID: turn.provider ?? 'unknown',
})

function filePart(part: UserPart): object {
  if (part.type === 'text') return part
  if ('url' in part) return { type: 'file', mime: 'image/png', url: part.url }
  return { type: 'file', mime: part.mimeType, url: `data:${part.mimeType};base64,${part.data}` }
}

function toolPart(call: Call, time: number): object {
  const { parts, isError, exitCode, isPruned } = resultOf(call)
  const metadata = exitCode === undefined ? {} : { exit: exitCode }
  const times = { start: time, end: time, ...(isPruned ? { compacted: time } : {}) }
  const text = joinTexts(parts)
  const state = isError
    ? { status: 'error', input: call.input, error: text, metadata, time: times }
    : { status: 'completed', input: call.input, output: text, title: call.name, metadata, time: times }
  return { type: 'tool', tool: call.name, callID: call.id, state }
}
