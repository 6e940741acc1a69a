import type { Agent } from '../agent.ts'
import { aiModelReader } from './ai-model.ts'
import { aiUiReader } from './ai-ui.ts'
import { anthropicReader } from './anthropic.ts'
import {
  aiUiAppender,
  anthropicAppender,
  chatAppender,
  geminiContentsAppender,
  responsesAppender,
} from './append-list.ts'
import { CLAUDE_TAGS, CODEX_TAGS, GEMINI_TAGS } from './client-tags.ts'
import { geminiContentsReader } from './gemini-contents.ts'
import { responsesReader } from './responses.ts'
import { anthropicWriter } from './write-anthropic.ts'
import { chatWriter } from './write-chat.ts'
import { responsesWriter } from './write-responses.ts'

/** OpenAI's chat API: also the service's own form of messages. */
export const CHAT = { id: 'chat', appender: chatAppender, writer: chatWriter } satisfies Agent

export const AI_MODEL: Agent = { id: 'ai-model', reader: aiModelReader, appender: chatAppender }

export const AI_UI: Agent = { id: 'ai-ui', reader: aiUiReader, appender: aiUiAppender }

export const GEMINI_CONTENTS: Agent = {
  id: 'gemini-contents',
  reader: geminiContentsReader,
  appender: geminiContentsAppender,
  tags: GEMINI_TAGS,
}

// Clients of these APIs are often Codex and Claude Code.

export const RESPONSES = {
  id: 'responses',
  reader: responsesReader,
  appender: responsesAppender,
  writer: responsesWriter,
  tags: CODEX_TAGS,
} satisfies Agent

export const ANTHROPIC = {
  id: 'anthropic',
  reader: anthropicReader,
  appender: anthropicAppender,
  writer: anthropicWriter,
  tags: CLAUDE_TAGS,
} satisfies Agent
