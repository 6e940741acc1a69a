import { join } from 'node:path'
import { quote } from '../../text/controls.ts'
import type { Agent } from '../agent.ts'
import {
  addAtEnd,
  lineStart,
  type DocumentEnd,
  type PostedSession,
  type SessionAppender,
  type SessionEnd,
} from '../appender.ts'
import { JSON_LINES, type AgentHome } from '../home.ts'
import { elementText, fieldsAround, readElement } from '../shared/elements.ts'
import { ALL_CONTENT } from '../shared/fit-turn.ts'
import { findInLines, nameOf } from '../shared/session-file.ts'
import type { AssistantTurn, Call, UserPart, WrittenTurn } from '../shared/turns.ts'
import { joinTexts, modelOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'
import { folderOfPi, OH_MY_PI_TARGET, PI_TARGET } from './install-target.ts'

interface PiMaterial {
  end: SessionEnd
  parentId: string
  /** Session version 1 has no ids: it counts the lines, its header is line 0. */
  isNumbered: boolean
}

/** Writes a compaction as pi and oh-my-pi do: one entry, which names the first entry that stays (session version 3). */
const piAppender: SessionAppender<PiMaterial> = {
  prepare(session) {
    const { body, kept } = session
    const [first] = kept
    const isNumbered = readElement(body, first, ['id'])['id'] === undefined
    // Without ids, entries after the branch would follow the first one that is kept.
    if (isNumbered && !session.isWhole) return undefined
    const parentId = kept.at(-1)?.id ?? first.id
    return { end: session.isLines ? { start: lineStart(session) } : documentEnd(session), parentId, isNumbered }
  },

  write({ end, parentId, isNumbered }, compacted) {
    const { summary, shortSummary, details, firstKeptEntryId, tokensBefore, at, uuid } = compacted
    const { readFiles, modifiedFiles } = details
    const timestamp = new Date(at).toISOString()
    const place = isNumbered
      ? { firstKeptEntryIndex: Number(firstKeptEntryId.slice(1)) + 1 }
      : { id: uuid('compaction').slice(0, 8), parentId, firstKeptEntryId }
    const entry = { type: 'compaction', ...place, timestamp, summary, shortSummary, tokensBefore }
    return addAtEnd(end, [JSON.stringify({ ...entry, details: { readFiles, modifiedFiles } })])
  },
}

/** Returns a document up to the end of its list and the rest, without the fields that belong to the request. */
function documentEnd(session: PostedSession): DocumentEnd {
  const [before, tail] = fieldsAround(session)
  return { head: before + session.places.map((element) => elementText(session.body, element)).join(','), tail }
}

/** A session of pi (version 3), also for oh-my-pi: a compaction, and the messages after it. */
const piWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: { ...ALL_CONTENT, images: 'data' },
  write(draft) {
    const header = { type: 'session', version: 3, id: draft.newUuid(), timestamp: draft.nextTime(), cwd: draft.cwd }
    const entries = [compactionOf(draft), ...draft.turns.flatMap((turn) => entriesOf(draft, turn))]
    let parentId: string | null = null
    return toLines([
      header,
      ...entries.map((entry) => {
        const id = draft.newId().slice(0, 8)
        const full = { ...entry, id, parentId, timestamp: draft.nextTime() }
        parentId = id
        return full
      }),
    ])
  },
}

/** Returns the compaction. It names no first kept entry: the new session has no entries before the compaction. */
const compactionOf = ({ summary, facts: { tokensBefore, files } }: NewSessionDraft): object => ({
  ...{ type: 'compaction', summary, firstKeptEntryId: '', tokensBefore, details: files },
})

function entriesOf(draft: NewSessionDraft, turn: WrittenTurn): object[] {
  const timestamp = draft.nextMs()
  const message = (fields: object): object => ({ type: 'message', message: { ...fields, timestamp } })
  if (turn.role === 'assistant')
    return [
      message(answerOf(turn)),
      ...turn.parts.flatMap((part) => {
        const result = part.type === 'call' ? resultMessage(part, timestamp) : undefined
        return result === undefined ? [] : [message(result)]
      }),
    ]
  if (turn.shell !== undefined) return [message(turn.shell)]
  const content = turn.parts.map(piPart)
  if (turn.isClients) return [{ type: 'custom_message', customType: 'precis', content, display: true }]
  return [message({ role: 'user', content })]
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

/** Zeros: with the size of the old context, the client would compact again. */
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST }

function answerOf(turn: AssistantTurn): object {
  const { parts, stopReason, errorMessage } = turn
  const content = parts.map((part) => {
    if (part.type !== 'call') return part
    return { type: 'toolCall', id: part.id, name: part.name, arguments: part.input }
  })
  const hasCalls = parts.some(({ type }) => type === 'call')
  return {
    ...{ role: 'assistant', content, api: 'unknown', provider: turn.provider ?? 'unknown', model: modelOf(turn) },
    usage: NO_USAGE,
    stopReason: stopReason ?? (hasCalls ? 'toolUse' : 'stop'),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  }
}

const piPart = (part: UserPart): object =>
  'data' in part
    ? { type: 'image', data: part.data, mimeType: part.mimeType }
    : { type: 'text', text: joinTexts([part]) }

function resultMessage({ id, name, result }: Call, now: number): object | undefined {
  if (result === undefined) return undefined
  const { parts, isError, exitCode, isPruned } = result
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: parts.map(piPart),
    isError,
    ...(exitCode === undefined ? {} : { details: { exitCode } }),
    ...(isPruned ? { prunedAt: now } : {}),
  }
}

const TAGS = { after: '<summary>', before: '</summary>' }

const OH_MY_PI = 'oh-my-pi'

/** pi, oh-my-pi and indusagi. */
export const PI = {
  id: 'pi',
  appender: piAppender,
  writer: piWriter,
  summaryMessages: [
    // oh-my-pi 18.2.3
    { start: 'Prior model work/tool state available.', ...TAGS },
    // pi 1.5.2
    { start: 'The conversation history before this point was compacted into the following summary:', ...TAGS },
  ],
  idIn: ({ type, id }) => (type === 'session' ? id : undefined),
  folderIn: ({ type, cwd }) => (type === 'session' ? cwd : undefined),
  homes: [homeOf('pi', '.pi', /^pi$/), homeOf(OH_MY_PI, '.omp', /^omp\b/)],
  installTargets: [PI_TARGET, OH_MY_PI_TARGET],

  /**
   * Both agents take the path of any file, and work in the folder that it names. Only oh-my-pi's begin with a title, which it can
   * change; older ones have none.
   */
  continueWith({ path, homeName }) {
    const first = findInLines(path, ({ type }) => (type === 'title' || type === 'session' ? type : undefined))
    if (first === undefined) return undefined
    const isOhMyPi = first === 'title' || homeName === OH_MY_PI
    return { command: `${isOhMyPi ? 'omp --resume' : 'pi --session'} ${quote(path)}` }
  },
} satisfies Agent

function homeOf(name: string, folder: string, clientName: RegExp): AgentHome {
  return {
    id: name,
    name,
    // Both agents read this variable; who has both sets it for each of them alone.
    root: (machine) => join(folderOfPi(machine, folder), 'sessions'),
    levels: [/./, JSON_LINES],
    // TIME_UUID.jsonl
    idOf: (path) => nameOf(path).split('_').at(-1) ?? '',
    mcpClient: { name: clientName },
  }
}
