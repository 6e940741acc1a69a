import type { ChatMessage } from '../../agents/apis/read-chat.ts'
import { Problem } from '../../errors.ts'
import { promptTokensOf } from '../../prompt/task.ts'
import { writeTurns } from '../../prompt/write-turns.ts'
import { startRedaction, type Redaction } from '../../redact/redaction.ts'
import { finishText, prepareClientPrompt } from '../shared/client-prompt.ts'
import type { Material, Pipeline } from '../shared/pipeline.ts'
import { compactChat } from './compact-chat.ts'
import { cutAtStop, cutSummaryAtStop, usageOf, type AnswerForm, type CompletedChat } from './completed-chat.ts'
import { recognizeCompaction, type PipelineChoice } from './recognize-compaction.ts'
import { isTranscriptPrompt } from './summary-prompts.ts'

/** A chat, and how its client wants the reply. */
interface ChatRequest extends AnswerForm {
  /** The field of the request that has the messages. */
  list: 'messages' | 'input'
  messages: readonly ChatMessage[]
  maxTokens?: number | null | undefined
}

interface ChatMaterial extends Material, AnswerForm {
  promptTokens: number
  /** Whether the chat is a prompt around a conversation: without a model, code writes its summary. */
  isSummary: boolean
}

/**
 * Answers a chat that asks for anything else than its compaction. Its messages go to the summarizer unchanged and in order,
 * except that secrets are replaced. A chat that is too long for a window is split into chunks, each with the last user message.
 */
const completeChat: Pipeline<ChatRequest, ChatMaterial> = {
  hooks: 'none',

  /** @throws Problem `invalid-request` when no message has text; `no-model` */
  prepare({ list, messages: original, maxTokens, stop, isStream, includeUsage }, context) {
    const { templates, redact, windowLimitTokens } = context
    const redaction = startRedaction(redact, {
      messages: original.filter((message) => message.role !== 'system'),
      texts: original.map((message) => (message.role === 'system' ? message.text : undefined)),
    })
    const messages = original.map((message) => redactMessage(message, redaction))
    const { prompt, systemPrompt, turns } = writeTurns(messages, templates)
    if (turns.length === 0) throw noText(list)
    // pi and oh-my-pi, in all their templates (docs/clients.md): their own words stay, and no others are added.
    const isSummary = turns.length === 1 && isTranscriptPrompt({ systemPrompt, prompt })
    if (!isSummary && windowLimitTokens === undefined) throw new Problem('no-model', NO_MODEL)
    const texts = { prompt, systemPrompt, maxTokens, ...(turns.length > 1 && { turns }) }
    const { material, writeTasks } = prepareClientPrompt(texts, redaction, context)
    const promptTokens = promptTokensOf({ systemPrompt, prompt })
    return { material: { ...material, promptTokens, stop, isSummary, isStream, includeUsage }, writeTasks }
  },

  finish(material, { history: draft }, context) {
    const { isSummary, promptTokens, stop, isStream, includeUsage } = material
    if (draft?.isDegraded === true && !isSummary) throw new Problem('model-failed', NO_ANSWER)
    const { summary, report } = finishText(material, draft, context)
    const text = isSummary ? cutSummaryAtStop(summary, stop) : cutAtStop(summary, stop)
    const usage = usageOf(draft, { promptTokens, text })
    const reply: CompletedChat = { text, usage, isStream, includeUsage, report }
    return { reply, summary, reported: reply }
  },
}

const NO_MODEL =
  'This service has no model server, so this route answers only requests for a compaction: with the prompt of a known client, ' +
  'with a last message such as "Summarize this chat" after at least two others, or with the header `X-Precis-Pipeline: on`. ' +
  'Send other requests to the server of the model.'

const NO_ANSWER =
  'No candidate answered, and without a model this service writes only summaries of conversations. Try again later.'

const noText = (list: string): Problem =>
  new Problem('invalid-request', `No message contains text. Send the conversation in \`${list}\`.`, {
    faults: [{ pointer: `/${list}`, detail: 'must contain a user, assistant or tool message with text' }],
  })

function redactMessage(message: ChatMessage, redaction: Redaction): ChatMessage {
  if (message.role === 'system') return { role: 'system', text: redaction.text(message.text) }
  return redaction.messages([message])[0] ?? message
}

/** The ways to answer a chat. */
export const CHAT_PIPELINES = { completion: completeChat, compaction: compactChat }

/** Returns what a chat asks for: one that asks for its compaction is compacted, any other one goes to the model. */
export function choosePipeline(request: ChatRequest, { pipeline = 'auto' }: { pipeline?: PipelineChoice }) {
  const parts = recognizeCompaction(request.messages, pipeline)
  return parts === undefined
    ? { name: 'completion' as const, request }
    : { name: 'compaction' as const, request: { ...request, ...parts, isAskedInChat: true } }
}
