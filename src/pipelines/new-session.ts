import type { SessionRequest, SessionSource } from '../ingest/read-request.ts'
import { readRawMessage } from '../ingest/read-request.ts'
import type { MessageEntry } from '../plan/plan-compaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { NewSessionFormat } from '../schemas/reply-form.ts'
import { fieldsOf } from '../session/entry.ts'
import { writeSession, type WrittenSession } from '../session/writers/write-session.ts'
import type { KeptMessage } from '../session/writers/turns.ts'
import type { SessionFacts } from '../session/writers/writer.ts'

/** What the second part of a compaction needs to write a session in another format: plain data. */
export interface NewSessionMaterial {
  format: NewSessionFormat
  kept: readonly KeptMessage[]
  facts: Omit<SessionFacts, 'nowMs'>
}

type Request = Pick<SessionRequest<object>, 'session' | 'source' | 'format'> & {
  newSession?: NewSessionFormat | undefined
}

/**
 * Prepares the session that a request asks for; undefined if it asks for none.
 * @param kept the messages that stay, whole
 */
export function prepareNewSession(
  { newSession, source, format }: Request,
  kept: readonly MessageEntry[],
): NewSessionMaterial | undefined {
  if (newSession === undefined) return undefined
  const cwd = findFolder(source)
  const agent = format ?? (source.name === 'entries' ? 'pi' : 'chat')
  const seed = JSON.stringify([kept.map(({ id }) => id), source.body.length])
  return {
    format: newSession,
    kept: kept.map((entry) => ({ message: entry.message, ...rawImages(entry, source) })),
    facts: { seed, agent, ...(cwd === undefined ? {} : { cwd }) },
  }
}

/** Returns the raw form of a message with images, whose data is only there. */
function rawImages(entry: MessageEntry, source: SessionSource): Pick<KeptMessage, 'raw'> {
  const { message } = entry
  const hasImages = 'content' in message && message.content.some(({ type }) => type === 'image')
  if (!hasImages) return {}
  const { content } = readRawMessage(source, entry)
  return { raw: { content } }
}

/** The folder of a project stands at the beginning of a document. */
const SEARCHED_BYTES = 64 * 1024

/** The names of the folder: in files of Claude Code, Codex, pi and Qwen Code, and in exports of opencode. */
const FOLDER = /"(?:cwd|directory)": ?("(?:\/|[A-Za-z]:)[^"\n]{0,1000}")/

/** Returns the folder in which the session was made; undefined if the document does not say it. */
function findFolder({ body }: SessionSource): string | undefined {
  const found = FOLDER.exec(body.toString('utf8', 0, SEARCHED_BYTES))?.[1]
  try {
    return found === undefined ? undefined : String(JSON.parse(found))
  } catch {
    return undefined
  }
}

type Written = Pick<Required<WrittenReply>, 'reply'> & { newSession?: WrittenSession }
interface WrittenReply {
  reply: CompactionReply
}

/**
 * Writes the session that a request has asked for. The report of the reply says what the format could not hold.
 * @param nowMs milliseconds since the epoch
 */
export function finishNewSession(
  material: NewSessionMaterial | undefined,
  reply: CompactionReply,
  nowMs: number,
): Written {
  if (material === undefined) return { reply }
  const { format, kept } = material
  const { summary, details, tokensBefore, report } = reply
  const { readFiles, modifiedFiles } = details
  const facts = { ...material.facts, nowMs, tokensBefore, files: { readFiles, modifiedFiles } }
  const newSession = writeSession(format, { summary, kept, facts })
  const { notCarried } = newSession
  if (Object.keys(fieldsOf(notCarried)).length === 0) return { reply, newSession }
  return { reply: { ...reply, report: { ...report, ignored: { ...report.ignored, notCarried } } }, newSession }
}
