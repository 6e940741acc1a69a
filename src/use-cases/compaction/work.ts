import { Problem } from '../../errors.ts'
import { collectFiles } from '../../extract/collect-files.ts'
import { pairMessages } from '../../extract/runs.ts'
import { readInclude } from '../../ingest/read-query.ts'
import { readingOf, readRequest } from '../../ingest/read-request.ts'
import type { PromptAdditions } from '../../jobs/protocol.ts'
import { startRedaction } from '../../redact/redaction.ts'
import type { CompactionReply } from '../../schemas/compaction-reply.ts'
import { COMPACTION_FORMS, type PromptForm } from '../../schemas/compaction-request.ts'
import { COMPACTION_PARTS } from '../../schemas/provenance.ts'
import type { FileLists } from '../../session/entry.ts'
import type { Message } from '../../session/message.ts'
import { parseConversation } from '../../session/parse-transcript.ts'
import { findConversation, LABELS } from '../../session/transcript.ts'
import { deriveShortSummary } from '../../summary/short-summary.ts'
import { readSummary } from '../../summary/summary.ts'
import { finishText, prepareClientPrompt } from '../shared/client-prompt.ts'
import type { Material, Pipeline } from '../shared/pipeline.ts'
import { readReplyQuery } from '../shared/reply.ts'
import { withSessionWindow } from '../shared/session-window.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { compactConversation } from './compact-conversation.ts'
import { compactSession } from './compact-session.ts'

interface PromptMaterial extends Material {
  files: FileLists
}

/**
 * `POST /compaction` with `prompt`: answers a prompt that a client has written itself. The model gets only the client's
 * system prompt, prompt and limit, with secrets replaced; a prompt that is too long for a window is split into chunks if it
 * has conversation tags. The answer is checked only against what the client's instructions ask for; sections and file
 * lists are up to the client.
 */
export const summarizePrompt: Pipeline<PromptForm, PromptMaterial> = {
  prepare(request, context) {
    const { redact, additions } = context
    const original = addToPrompt(request.prompt, additions)
    const redaction = startRedaction(redact, { texts: [original, request.systemPrompt] })
    const prompt = redaction.text(original)
    const systemPrompt = request.systemPrompt === undefined ? undefined : redaction.text(request.systemPrompt)
    const texts = { prompt, systemPrompt, maxTokens: request.maxTokens }
    const { material, writeTasks } = prepareClientPrompt(texts, redaction, context)
    return { material: { ...material, files: collectFiles(pairMessages(messagesIn(prompt))) }, writeTasks }
  },

  finish(material, { history }, context) {
    const { summary, report } = finishText(material, history, context)
    const shortSummary = deriveShortSummary(readSummary(summary))
    const reply: CompactionReply = { summary, shortSummary, details: material.files, report }
    return { reply, summary, reported: { report } }
  },
}

/** The ends of what a client's prompt has before its instructions. */
const DATA_ENDS = ['</conversation>', '</previous-summary>', '</additional-context>']

/** Returns a client's prompt with what hooks add to it. Only after a conversation in tags are its instructions known. */
function addToPrompt(prompt: string, { context = [], prompt: instructions }: PromptAdditions = {}): string {
  const from = Math.max(...DATA_ENDS.map((end) => prompt.lastIndexOf(end) + end.length))
  const isKnown = instructions !== undefined && findConversation(prompt) !== undefined
  const parts = [
    isKnown ? prompt.slice(0, from) : prompt,
    ...(context.length === 0 ? [] : [['Additional context:', ...context.map((line) => `- ${line}`)].join('\n')]),
    ...(isKnown ? [instructions] : []),
  ]
  return parts.join('\n\n')
}

/** Returns the messages of the prompt's transcript; a foreign syntax has no tool calls for us, and therefore no files. */
function messagesIn(prompt: string): Message[] {
  if (!prompt.includes(LABELS.toolCalls)) return []
  const { start, end } = findConversation(prompt) ?? { start: 0, end: prompt.length }
  return parseConversation(prompt.slice(start, end)).map(({ message }) => message)
}

const READING = readingOf(COMPACTION_FORMS, false)

/** The messages of a new session are needed whole. */
const READING_WHOLE = { ...READING, isWhole: true }

const PIPELINES = { session: compactSession, conversation: compactConversation, prompt: summarizePrompt }

export default summaryWork(PIPELINES, ({ query, ...body }, context) => {
  const { include, others: rest } = readInclude(query, COMPACTION_PARTS)
  const { replyQuery, others } = readReplyQuery(rest)
  const { newSession } = replyQuery
  const reading = newSession === undefined ? READING : READING_WHOLE
  const request = readRequest({ ...body, query: others }, reading, context)
  const isNative = replyQuery.reply === 'native'
  if (request.session !== undefined) {
    const fields = isNative ? { ...request.fields, native: true } : request.fields
    const read = withSessionWindow({ ...request, fields })
    const isPart = replyQuery.maxChars !== undefined
    return { name: 'session', request: { ...read, newSession, include, isPart }, replyQuery, notes: request }
  }
  const { fields, ignored: unknown } = request
  if (isNative || newSession !== undefined) throw new Problem('no-native-form', NO_SESSION)
  if (fields.prepared === 'only') throw new Problem('not-prepared', NOTHING_PREPARED)
  const notes = { ignored: include.size === 0 ? unknown : { ...unknown, query: { ...unknown?.query, include: 1 } } }
  if ('prompt' in fields) return { name: 'prompt', request: fields, replyQuery, notes }
  return { name: 'conversation', request: fields, replyQuery, notes }
})

const NOTHING_PREPARED =
  'Summaries are prepared of sessions, not of a prompt or a transcript. Send the session to /compaction/prepare, and then to /compaction in place of this text; or leave out `prepared`.'

const NO_SESSION =
  'A prompt or a transcript has no native form, and no messages for a new session. Send the session, or ask for `reply=text`.'
