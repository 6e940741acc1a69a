import type { FormatId } from '../schemas/format.ts'
import type { NewSessionFormat } from '../schemas/reply-form.ts'
import type { Agent } from './agent.ts'
import { AGENTS } from './agents.ts'
import type { FinishedCompaction, Native, PostedSession } from './appender.ts'
import { neutralizeTags } from './control-tags.ts'
import { NewSessionDraft, type NewSession } from './writer.ts'

/** Returns whether sessions of a format are lists of messages: their native form is the whole list. */
export const isMessageList = (format: FormatId): boolean => AGENTS[format].appender?.isList === true

/** The material of a native form: plain data, with the format that it belongs to. */
export interface NativeMaterial {
  format: FormatId
  data: object
}

/** Prepares the native form of a session; undefined if its format has none. */
export function prepareNative(format: FormatId, session: PostedSession): NativeMaterial | undefined {
  const data = AGENTS[format].appender?.prepare(session)
  return data === undefined ? undefined : { format, data }
}

/** Returns a summary as it is written into a session of a format: it has no control tags of the agent. */
export function storedSummary(format: FormatId, summary: string): string {
  const { tags }: Agent = AGENTS[format]
  return neutralizeTags(summary, tags)
}

/** Writes a compaction in the form of an agent's own storage. */
export function writeNative({ format, data }: NativeMaterial, compacted: FinishedCompaction): Native {
  const { appender }: Agent = AGENTS[format]
  if (appender === undefined) throw new Error('The material of a native form has a format that writes none.')
  // The same appender has prepared the material, so it has the right type.
  return appender.write(data as never, { ...compacted, summary: storedSummary(format, compacted.summary) })
}

/** A session in the format of an agent or an API. */
export interface WrittenSession {
  format: NewSessionFormat
  contentType: string
  body: string
  /** The kinds of content that the format could not represent, with their counts. */
  notCarried: Readonly<Record<string, number>>
}

/** Returns a new session that begins with a summary and continues with the kept messages. */
export function writeSession(format: NewSessionFormat, session: NewSession): WrittenSession {
  const { writer, tags } = AGENTS[format]
  const { contentType, supports, write } = writer
  const summary = neutralizeTags(session.summary, tags)
  const draft = new NewSessionDraft({ ...session, summary }, supports)
  const body = write(draft)
  return { format, contentType, body, notCarried: draft.notCarried }
}
