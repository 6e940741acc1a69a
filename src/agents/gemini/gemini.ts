import { join } from 'node:path'
import { sha256 } from '../../session/hash-id.ts'
import type { Agent } from '../agent.ts'
import { GEMINI_TAGS } from '../apis/client-tags.ts'
import { SNAPSHOT_ACKNOWLEDGEMENT, wrapSnapshot } from '../apis/gemini-parts.ts'
import { answerParts, GEMINI_SUPPORT, responseOf, userPart } from '../apis/write-gemini.ts'
import { appendLines, lineStart, replaceDocument, type FinishedCompaction, type SessionAppender } from '../appender.ts'
import {
  hookSettings,
  SERVER_NAME,
  serverSetting,
  type HookEvent,
  type InstallTarget,
  type Setup,
} from '../install-target.ts'
import { findElement, newestTime, partReader, splitAtCut, textAround, timeOfCompaction } from '../shared/elements.ts'
import { rawField, rawFields } from '../shared/raw-json.ts'
import type { AssistantTurn, WrittenTurn } from '../shared/turns.ts'
import { modelOf, thinkingOf, toLines, type NewSessionDraft, type SessionWriter } from '../writer.ts'
import { folderOfGemini, GEMINI_HOME } from './home.ts'
import { geminiReader, readWorkspace } from './read.ts'

interface GeminiMaterial {
  start: '' | '\n'
  /** The kept records, as JSON. */
  records: readonly { json: string; hasId: boolean }[]
  /** The newest time of a kept record. */
  newestMs?: number
  /** Whether the first of them is an answer of the model. */
  beginsWithAnswer: boolean
  /** The text around the list, if the session is one object (before 2026). */
  around?: readonly [before: string, after: string]
}

/** Writes a compaction as Gemini CLI does: a line that replaces all messages (`$set.messages`, 0.61.0). */
const geminiAppender: SessionAppender<GeminiMaterial> = {
  prepare(session) {
    const { elements, isWhole, kept: entries } = session
    const end = isWhole ? undefined : findElement(elements, entries.at(-1) ?? entries[0]) + 1
    const { kept } = splitAtCut({ ...session, elements: elements.slice(0, end) })
    const [first] = kept
    if (first === undefined) return undefined
    const readPart = partReader(session.body, listIn)
    const newestMs = newestTime(kept)
    const around = session.isLines ? undefined : textAround(session)
    return {
      start: lineStart(session),
      beginsWithAnswer: first.kind === 'assistant',
      records: kept.map((element) => ({ json: readPart(element), hasId: element.id !== undefined })),
      ...(newestMs !== undefined && { newestMs }),
      ...(around && { around }),
    }
  },

  write({ start, records, newestMs, beginsWithAnswer, around }, compacted) {
    const [summary, acknowledgement] = newRecords(compacted, timeOfCompaction(compacted.at, newestMs))
    const kept = records.map(({ json, hasId }, at) => (hasId ? json : withId(json, compacted.uuid(`record ${at}`))))
    const list = [summary, ...(beginsWithAnswer ? [] : [acknowledgement]), ...kept].join(',')
    if (around !== undefined) return replaceDocument(around.join(list))
    const lastUpdated = JSON.stringify(new Date(compacted.at).toISOString())
    return appendLines(start, [`{"$set":{"messages":[${list}],"lastUpdated":${lastUpdated}}}`])
  },
}

function newRecords({ summary, uuid }: FinishedCompaction, time: number): [summary: string, acknowledgement: string] {
  const timestamp = new Date(time).toISOString()
  const record = (name: string, type: string, text: string): string =>
    JSON.stringify({ id: uuid(name), timestamp, type, content: [{ text }] })
  return [
    record('summary', 'user', wrapSnapshot(summary)),
    record('acknowledgement', 'gemini', SNAPSHOT_ACKNOWLEDGEMENT),
  ]
}

const listIn = (line: string): string | undefined =>
  rawField(line, ...(rawField(line, '$set') === undefined ? ['messages'] : ['$set', 'messages']))

/** Returns a record with an id: Gemini CLI finds the records of a list by their ids, and would lose one without. */
const withId = (record: string, id: string): string =>
  `{${[`"id":${JSON.stringify(id)}`, ...rawFields(record, ['id'])].join(',')}}`

/** A session of Gemini CLI (0.61.0), as it is after `/compress`: the summary, an answer to it, and the messages after it. */
const geminiWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: GEMINI_SUPPORT,
  write(draft) {
    const startTime = draft.nextTime()
    const header = { sessionId: draft.newUuid(), projectHash: sha256(draft.cwd), startTime, lastUpdated: startTime }
    const snapshot = { text: wrapSnapshot(draft.summary) }
    const messages = [
      record(draft, 'user', [snapshot]),
      record(draft, 'gemini', [{ text: SNAPSHOT_ACKNOWLEDGEMENT }]),
      ...draft.turns.flatMap((turn) => recordsOf(draft, turn)),
    ]
    return toLines([{ ...header, kind: 'main' }, { $set: { messages, lastUpdated: draft.nextTime() } }])
  },
}

const record = (draft: NewSessionDraft, type: 'user' | 'gemini', content: object[]): object => ({
  id: draft.newUuid(),
  timestamp: draft.nextTime(),
  type,
  content,
})

function recordsOf(draft: NewSessionDraft, turn: WrittenTurn): object[] {
  if (turn.role === 'user') return [record(draft, 'user', turn.parts.map(userPart))]
  const results = responsesOf(turn)
  const thoughts = thinkingOf(turn.parts).map((description) => ({
    subject: '',
    description,
    timestamp: draft.nextTime(),
  }))
  const answer = record(draft, 'gemini', answerParts(turn))
  return [
    { ...answer, ...(thoughts.length === 0 ? {} : { thoughts }), model: modelOf(turn) },
    ...(results.length === 0 ? [] : [record(draft, 'user', results)]),
  ]
}

const responsesOf = ({ parts }: AssistantTurn): object[] =>
  parts.flatMap((part) => (part.type === 'call' ? responseOf(part, true) : []))

/** Settings as of 0.61.0. */
const GEMINI_TARGET: InstallTarget = {
  id: 'gemini',
  name: 'Gemini CLI',
  command: 'gemini',
  known: ['0.61.0'],
  hasProjects: true,
  folder: folderOfGemini,
  hooksOff: (setup) => ({ file: settingsFileOf(setup), path: ['hooksConfig', 'enabled'], value: false }),
  settings: (setup) => {
    const file = settingsFileOf(setup)
    return [
      // Without `trust`, Gemini CLI hides the tools where it cannot ask the user.
      serverSetting(setup, file, { trust: true }),
      ...hookSettings(setup, { file, agent: 'gemini', events: EVENTS, runner: 'PowerShell' }),
    ]
  },
  advice: ({ project }) =>
    project === undefined ? [] : ['Gemini CLI reads the settings of a project only in a folder that it trusts.'],
}

/** Its time limits are milliseconds. */
const FIELDS = { name: SERVER_NAME, timeout: 30_000 }
const EVENTS: readonly HookEvent[] = [
  { event: 'BeforeAgent', purpose: 'after a compaction, the model learns how to look things up', fields: FIELDS },
  { event: 'AfterAgent', purpose: 'the next summary is prepared early', fields: FIELDS },
]

const settingsFileOf = (setup: Setup): string =>
  join(setup.project === undefined ? folderOfGemini(setup) : join(setup.project, '.gemini'), 'settings.json')

export const GEMINI = {
  id: 'gemini',
  reader: geminiReader,
  appender: geminiAppender,
  writer: geminiWriter,
  tags: GEMINI_TAGS,
  // Those of Qwen Code 0.24 too.
  summaryMessages: [{ start: '<state_snapshot>', before: '</state_snapshot>' }],
  acknowledgement: SNAPSHOT_ACKNOWLEDGEMENT,
  // The title of an older session.
  ownFields: ['summary'],
  folderIn: readWorkspace,
  homes: [GEMINI_HOME],
  installTargets: [GEMINI_TARGET],
} satisfies Agent
