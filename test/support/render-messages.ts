import fc from 'fast-check'
import type { FormatId } from '../../src/schemas/format.ts'
import type { Message } from '../../src/session/message.ts'
import type { ContentSupport } from '../../src/agents/shared/fit-turn.ts'
import { messagesOf, text, turns, type Conversed } from './random-conversation.ts'
import { renderModelMessages, renderUiMessages } from './render-ai-sdk.ts'
import { fitAider, renderAider, renderContents, renderGoose, renderHistory } from './render-agents.ts'
import { fitBlocks, renderCline, renderGencode, renderLegacy } from './render-blocks.ts'
import { fitEvents, renderEvents, renderTrajectory } from './render-openhands.ts'
import { WRITTEN } from './render-written.ts'

/** A conversation of which a beginning may have been compacted before. */
export interface Rendered {
  summary: string
  messages: readonly Message[]
  /** What the summary covers; for a format without summaries, what is no part of the session for another reason. */
  past: readonly Message[]
}

/** How a test writes a format that the service reads. */
export interface Rendering {
  format: FormatId
  supports: Pick<ContentSupport, 'thinking' | 'images' | 'toolErrors'>
  /** Whether a session can begin with a summary. */
  hasSummary: boolean
  /** Whether results can have an exit status. */
  hasExitCodes: boolean
  isLines?: boolean
  /** Returns the conversation as far as the format can hold it. */
  fit?: (messages: readonly Message[]) => Message[]
  render: (session: Rendered) => string
}

const SUPPORTS = { thinking: true, images: 'data', toolErrors: true } as const
const HAS = { hasSummary: true, hasExitCodes: false } as const

/** The renderings, each with the words that a test's name has for it. */
export const RENDERINGS: Readonly<Record<string, Rendering>> = {
  ...WRITTEN,
  'ai-model': { format: 'ai-model', supports: SUPPORTS, ...HAS, render: renderModelMessages },
  'ai-ui': { format: 'ai-ui', supports: SUPPORTS, ...HAS, render: renderUiMessages },
  'openhands-v1': { format: 'openhands-v1', supports: { ...SUPPORTS, images: 'none' }, ...HAS, render: renderEvents },
  'openhands-v0': {
    ...{ format: 'openhands-v0', supports: SUPPORTS, hasSummary: true, hasExitCodes: true },
    ...{ fit: fitEvents, render: renderTrajectory },
  },
  cline: {
    ...{ format: 'cline', supports: SUPPORTS, hasSummary: true, hasExitCodes: true },
    fit: fitBlocks('[Command exited with code N]'),
    render: renderCline,
  },
  'cline-legacy': { format: 'cline-legacy', supports: SUPPORTS, ...HAS, render: renderLegacy },
  gencode: {
    ...{ format: 'gencode', supports: { thinking: false, images: 'none', toolErrors: true }, ...HAS },
    render: renderGencode(false),
  },
  'gencode, already compacted': {
    ...{ format: 'gencode', supports: { thinking: false, images: 'none', toolErrors: true }, ...HAS },
    render: renderGencode(true),
  },
  goose: { format: 'goose', supports: SUPPORTS, ...HAS, render: renderGoose },
  'gemini-contents': { format: 'gemini-contents', supports: SUPPORTS, ...HAS, render: renderContents(true) },
  'gemini-contents, without ids': {
    format: 'gemini-contents',
    supports: SUPPORTS,
    ...HAS,
    render: renderContents(false),
  },
  'swe-agent': {
    ...{ format: 'swe-agent', supports: { thinking: true, images: 'data', toolErrors: false } },
    ...{ hasSummary: false, hasExitCodes: false },
    render: renderHistory,
  },
  aider: {
    ...{ format: 'aider', supports: { thinking: false, images: 'none', toolErrors: false } },
    ...{ hasSummary: false, hasExitCodes: false },
    ...{ fit: fitAider, render: renderAider },
  },
}

/** A random conversation in a format, and the same conversation as far as the format can hold it. */
export function renderedSession({ supports, hasSummary, hasExitCodes, fit, render }: Rendering) {
  const held = (conversation: Parameters<typeof messagesOf>[0]): Message[] => {
    const messages = messagesOf(conversation, supports)
    return fit?.(messages) ?? messages
  }
  const parts = fc.tuple(turns(1, hasExitCodes), turns(0, hasExitCodes), text)
  return parts.map(([conversation, before, summary]): Conversed & { document: string } => {
    const messages = held(conversation)
    const document = render({ summary, messages, past: held(before) })
    return { document, messages, summary: hasSummary ? summary : undefined }
  })
}
