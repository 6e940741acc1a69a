import type { AssistantMessage, ContentBlock } from '../session/message.ts'
import type { BlockKind } from '../session/transcript-labels.ts'
import { serializeToolCall } from './serialize-tool-calls.ts'
import { truncateMiddle } from './truncate-middle.ts'

/** How much of one thinking block is shown: it is mostly detours, its beginning and its end tell the most. */
const MAX_THINKING_CHARACTERS = 1000

/** Providers put whole HTML pages into error messages. */
const MAX_ERROR_CHARACTERS = 1000

/** One labelled block of a transcript, before escaping. */
export interface TranscriptBlock {
  kind: BlockKind
  text: string
}

/** An assistant's message as blocks in the order of its content; neighbours of one kind become one block. */
export function serializeAssistant(message: AssistantMessage): TranscriptBlock[] {
  const runs: { kind: BlockKind; texts: string[] }[] = []
  for (const { kind, text } of blocksOf(message)) {
    const run = runs.at(-1)
    if (text.trim() === '') continue
    if (run?.kind === kind) run.texts.push(text)
    else runs.push({ kind, texts: [text] })
  }
  return runs.map(({ kind, texts }) => ({ kind, text: texts.join(kind === 'toolCalls' ? '; ' : '\n') }))
}

const blocksOf = (message: AssistantMessage): TranscriptBlock[] => [
  ...message.content.map(blockOf),
  { kind: 'assistant', text: stopNote(message) },
]

function blockOf(block: ContentBlock): TranscriptBlock {
  switch (block.type) {
    case 'text':
      return { kind: 'assistant', text: block.text }
    case 'image':
      return { kind: 'assistant', text: '[Image]' }
    case 'thinking':
      return { kind: 'thinking', text: truncateMiddle(block.thinking, MAX_THINKING_CHARACTERS) }
    case 'toolCall':
      return { kind: 'toolCalls', text: serializeToolCall(block) }
  }
}

/** Why a message stopped short; empty where it did not. */
function stopNote({ stopReason, errorMessage = '' }: AssistantMessage): string {
  if (stopReason !== 'error' && stopReason !== 'aborted') return ''
  const what = stopReason === 'error' ? 'stopped by an error' : 'aborted'
  return errorMessage.trim() === '' ? `(${what})` : `(${what}: ${truncateMiddle(errorMessage, MAX_ERROR_CHARACTERS)})`
}
