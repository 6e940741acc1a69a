import type { ChatMessage } from '../agents/apis/read-chat.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import { LABELS } from '../session/transcript.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { targetTokens } from './build-prompts.ts'
import { escapeTranscript, framePrompt } from './frame-prompt.ts'
import { writeTranscript } from './serialize-conversation.ts'
import type { ChatTurn } from './task.ts'
import { fillTemplate, type Templates } from './templates.ts'
import { assistantBlocks, contentText } from './transcript-blocks.ts'
import { wholeText, type LabelledText } from './transcript-piece.ts'

/** A chat in the form that a model gets. */
interface WrittenChat {
  /** The system messages at the beginning, if any. */
  systemPrompt?: string
  /** The messages after them, as text: a summarizer gets no images and tools. Blank messages are left out. */
  turns: ChatTurn[]
  /** The same as one prompt, for chunks, repairs and measurements. A single user message is the prompt itself. */
  prompt: string
}

interface Turn {
  role: ChatTurn['role']
  blocks: LabelledText[]
}

const systemText = (message: ChatMessage): string => (message.role === 'system' ? message.text : '')

const contentOf = (message: Message): readonly ContentBlock[] => ('content' in message ? message.content : [])

const filled = (block: LabelledText): LabelledText[] => (block.text.trim() === '' ? [] : [block])

/** Writes a block. Words of the speaker need no label; thinking, calls and results do. */
const writeBlock = ({ kind, text }: LabelledText): string =>
  kind === 'user' || kind === 'assistant' ? text : `${LABELS[kind]} ${text}`

/** Returns a chat's messages as text, in their order. Results of tools become words of the user. */
export function writeTurns(messages: readonly ChatMessage[], templates: Templates): WrittenChat {
  const systemEnd = messages.findIndex(({ role }) => role !== 'system')
  const rest = systemEnd < 0 ? [] : messages.slice(systemEnd)
  const system = messages.slice(0, messages.length - rest.length).map((message) => systemText(message))
  const turns = rest.map(readTurn).filter(({ blocks }) => blocks.length > 0)
  const written = turns.map(({ role, blocks }) => ({
    role,
    content: replaceLoneSurrogates(blocks.map(writeBlock).join('\n\n')),
  }))
  const [first] = written
  const isSingle = written.length === 1 && first?.role === 'user'
  return {
    ...(system.length === 0 ? {} : { systemPrompt: replaceLoneSurrogates(system.join('\n\n')) }),
    turns: written,
    prompt: isSingle ? first.content : asPrompt(turns, templates),
  }
}

function readTurn(message: ChatMessage): Turn {
  if (message.role === 'system') return { role: 'system', blocks: filled({ kind: 'user', text: message.text }) }
  if (message.role === 'assistant') return { role: 'assistant', blocks: assistantBlocks(message).map(wholeText) }
  const text = contentText(contentOf(message))
  if (message.role !== 'toolResult') return { role: 'user', blocks: filled({ kind: 'user', text }) }
  return { role: 'user', blocks: [{ kind: 'toolResult', text: text || '(no output)' }] }
}

/**
 * The user's last message is the instruction for the messages before it; without one, the instruction is to summarize.
 */
function asPrompt(turns: readonly Turn[], templates: Templates): string {
  const last = turns.at(-1)
  const request = last?.blocks.length === 1 && last.blocks[0]?.kind === 'user' ? last.blocks[0].text : undefined
  const earlierTurns = request === undefined ? turns : turns.slice(0, -1)
  const conversation = writeTranscript(earlierTurns.flatMap(({ blocks }) => blocks))
  const { before, after } = framePrompt({ instructions: [request ?? summaryInstructions(templates, conversation)] })
  return before + escapeTranscript(conversation) + after
}

/** The output limit of a chat is the client's own: the length depends on the conversation alone. */
const summaryInstructions = (templates: Templates, conversation: string): string =>
  fillTemplate(templates.summary, {
    tokens: String(targetTokens({ spanTokens: estimateTextTokens(conversation), limitTokens: Infinity })),
  })
