import { Problem } from '../../errors.ts'
import { withOwnLimits } from '../../plan/settings.ts'
import { chunkClientPrompt } from '../../prompt/chunk-prompt.ts'
import { createTask, promptTokensOf } from '../../prompt/task.ts'
import { writeTurns } from '../../prompt/write-turns.ts'
import { resumeRedaction, startRedaction, type Redaction } from '../../redact/redaction.ts'
import type { ChatMessage } from '../../agents/apis/read-chat.ts'
import { reportOn } from '../../summary/report.ts'
import { readAskedSections } from '../../summary/asked-sections.ts'
import { usageOf, type CompletedChat } from './completed-chat.ts'
import { isTranscriptPrompt } from './summary-prompts.ts'
import type { Material, Pipeline } from '../shared/pipeline.ts'

/** A chat, and how its client wants the reply. */
export interface ChatRequest {
  /** The field of the request that has the messages. */
  list: 'messages' | 'input'
  messages: readonly ChatMessage[]
  maxTokens?: number | null | undefined
  isStream: boolean
  includeUsage: boolean
}

interface ChatMaterial extends Material {
  isStream: boolean
  includeUsage: boolean
  promptTokens: number
  /** Whether the chat is a prompt around a conversation: without a model, code writes its summary. */
  isSummary: boolean
}

/**
 * Answers a chat that asks for anything else than its compaction. Its messages go to the summarizer unchanged and in order,
 * except that secrets are replaced. A chat that is too long for a window is split into chunks, each with the last user message.
 */
export const completeChat: Pipeline<ChatRequest, ChatMaterial> = {
  hooks: 'none',

  /** @throws Problem `invalid-request` when no message has text; `no-model` */
  prepare({ list, messages: original, maxTokens, isStream, includeUsage }, context) {
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
    const history = {
      kind: 'prompt' as const,
      maxTokens: withOwnLimits(context, { maxTokens }).maxSummaryTokens,
      source: { form: 'prompt' as const, prompt },
    }
    return {
      material: {
        assignments: { history },
        guidance: {},
        asked: readAskedSections(prompt),
        promptTokens: promptTokensOf({ systemPrompt, prompt }),
        isSummary,
        isStream,
        includeUsage,
        redaction: redaction.state(),
      },
      writeTasks: () => ({
        history: createTask({
          ...history,
          systemPrompt,
          ...(turns.length > 1 ? { turns } : {}),
          ...chunkClientPrompt(prompt, templates),
        }),
      }),
    }
  },

  finish(
    { isSummary, promptTokens, redaction: found, isStream, includeUsage },
    { history: draft },
    { redact, startedAt, notes },
  ) {
    if (draft === undefined) throw new Error('The task of a chat has a draft.')
    if (draft.isDegraded === true && !isSummary) throw new Problem('model-failed', NO_ANSWER)
    const redaction = resumeRedaction(redact, found)
    const text = redaction.text(draft.text)
    const reply: CompletedChat = {
      text,
      usage: usageOf(draft, { promptTokens, text }),
      isStream,
      includeUsage,
      report: reportOn([draft], { startedAt, redactions: redaction.count(), notes }),
    }
    return { reply, summary: text, reported: reply }
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
