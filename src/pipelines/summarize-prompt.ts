import { collectFiles } from '../files/collect-files.ts'
import { chunkClientPrompt } from '../prompt/chunk-prompt.ts'
import { createTask } from '../prompt/task.ts'
import { startRedaction } from '../redact/redaction.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { PromptForm } from '../schemas/compaction-request.ts'
import type { FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { parseConversation } from '../session/parse-transcript.ts'
import { findConversation, LABELS } from '../session/transcript.ts'
import { reportOn } from '../summary/report.ts'
import { readAskedSections } from '../summary/sections.ts'
import { deriveShortSummary } from '../summary/short-summary.ts'
import type { Material, Pipeline } from './pipeline.ts'

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
  prepare(request, { maxSummaryTokens, redact, templates }) {
    const redaction = startRedaction(redact)
    const prompt = redaction.text(request.prompt)
    const systemPrompt = request.systemPrompt === undefined ? undefined : redaction.text(request.systemPrompt)
    const history = {
      kind: 'prompt' as const,
      maxTokens: Math.min(request.maxTokens ?? maxSummaryTokens, maxSummaryTokens),
      source: { form: 'prompt' as const, prompt },
    }
    return {
      material: {
        assignments: { history },
        guidance: {},
        asked: readAskedSections(prompt),
        files: collectFiles({ messages: messagesIn(prompt) }),
        redactions: redaction.count(),
      },
      writeTasks: () => ({
        history: createTask({ ...history, systemPrompt, ...chunkClientPrompt(prompt, templates) }),
      }),
    }
  },

  finish({ files, redactions, ignored }, { history: draft }, { services, startedAt, notes }) {
    if (draft === undefined) throw new Error('The task of a prompt has a draft.')
    const redaction = startRedaction(services.redact, redactions)
    const summary = redaction.text(draft.text)
    const report = reportOn([draft], { startedAt, redactions: redaction.count(), notes, ignored })
    const reply: CompactionReply = { summary, shortSummary: deriveShortSummary(summary), details: files, report }
    return { reply, reported: { report } }
  },
}

/** Returns the messages of the prompt's transcript; a foreign syntax has no tool calls for us, and therefore no files. */
function messagesIn(prompt: string): Message[] {
  if (!prompt.includes(LABELS.toolCalls)) return []
  const { start, end } = findConversation(prompt) ?? { start: 0, end: prompt.length }
  return parseConversation(prompt.slice(start, end)).map(({ message }) => message)
}
