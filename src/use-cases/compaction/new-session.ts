import { writeSession, type WrittenSession } from '../../agents/native.ts'
import type { NewSessionFacts } from '../../agents/writer.ts'
import { formatOf, readRawMessage, type SessionRequest, type SessionSource } from '../../ingest/read-request.ts'
import type { CompactionPlan, MessageEntry } from '../../plan/plan-compaction.ts'
import type { CompactionReply } from '../../schemas/compaction-reply.ts'
import type { NewSessionFormat } from '../../schemas/reply-form.ts'
import { fieldsOf } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { defined } from '../../text/defined.ts'

/** The material with which the second part of a compaction writes a session in another format: plain data. */
export interface NewSessionMaterial {
  format: NewSessionFormat
  kept: readonly Message[]
  facts: Omit<NewSessionFacts, 'nowMs' | 'files'>
}

type Request = Pick<SessionRequest<object>, 'session' | 'source' | 'format'> & {
  newSession?: NewSessionFormat | undefined
}

/**
 * Prepares the session that a request asks for; undefined if it asks for none.
 * @param plan its kept messages are whole
 */
export function prepareNewSession(
  { newSession, ...request }: Request,
  { kept, tokensBefore }: Pick<CompactionPlan, 'kept' | 'tokensBefore'>,
): NewSessionMaterial | undefined {
  if (newSession === undefined) return undefined
  const { source, session } = request
  const seed = JSON.stringify([kept.map(({ id }) => id), source.body.length])
  return {
    format: newSession,
    kept: kept.map((entry) => withImageData(entry, source)),
    facts: defined({ seed, agent: formatOf(request), cwd: session.cwd, tokensBefore }),
  }
}

/** Returns a message with the data of its images. The order of the images in a message and in its raw form is the same. */
function withImageData(entry: MessageEntry, source: SessionSource): Message {
  const { message } = entry
  if (!('content' in message) || !message.content.some(({ type }) => type === 'image')) return message
  const { content } = readRawMessage(source, entry)
  const blocks: unknown[] = Array.isArray(content) ? content : []
  const images = blocks.map(fieldsOf).filter(({ type }) => IMAGE_TYPES.has(type))
  const withSource = message.content.map((block) =>
    block.type === 'image' ? { type: block.type, source: images.shift() ?? {} } : block,
  )
  return { ...message, content: withSource }
}

const IMAGE_TYPES = new Set<unknown>(['image', 'image_url', 'input_image'])

interface Written {
  reply: CompactionReply
  newSession?: WrittenSession
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
  const { summary, details, report } = reply
  const { readFiles, modifiedFiles } = details
  const facts = { ...material.facts, nowMs, files: { readFiles, modifiedFiles } }
  const newSession = writeSession(format, { summary, kept, facts })
  const { notCarried } = newSession
  if (Object.keys(notCarried).length === 0) return { reply, newSession }
  return { reply: { ...reply, report: { ...report, ignored: { ...report.ignored, notCarried } } }, newSession }
}
