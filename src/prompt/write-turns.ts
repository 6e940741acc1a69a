import type { ChatTurn } from './task.ts'
import type { ContentBlock, Message } from '../session/message.ts'
import type { ChatMessage } from '../session/read-chat.ts'
import { LABELS } from '../session/transcript.ts'
import { framePrompt } from './frame-prompt.ts'
import type { Templates } from './templates.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { serializeAssistant, type LabelledText } from './serialize-assistant.ts'
import { contentText, writeTranscript } from './serialize-conversation.ts'

/** A chat as it goes to a model. */
export interface WrittenChat {
  /** The instructions that lead, if any. */
  systemPrompt?: string
  /** What follows them: text alone, as images and tools mean nothing to a summarizer. Blank messages are left out. */
  turns: ChatTurn[]
  /** The same as one prompt: where it is told in chunks, mended, or measured. A lone user message is the prompt itself. */
  prompt: string
}

interface Turn {
  role: ChatTurn['role']
  blocks: LabelledText[]
}

const systemText = (message: ChatMessage): string => (message.role === 'system' ? message.text : '')

const contentOf = (message: Message): readonly ContentBlock[] => ('content' in message ? message.content : [])

const filled = (block: LabelledText): LabelledText[] => (block.text.trim() === '' ? [] : [block])

/** The speaker's own words need no label; what stood in fields of its own does. */
const asSaid = ({ kind, text }: LabelledText): string =>
  kind === 'user' || kind === 'assistant' ? text : `${LABELS[kind]} ${text}`

/** Writes a chat's messages as text, in their order. Results of tools become words of the user, who alone may answer. */
export function writeTurns(messages: readonly ChatMessage[], templates: Templates): WrittenChat {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const rest = first < 0 ? [] : messages.slice(first)
  const system = messages.slice(0, messages.length - rest.length).map((message) => systemText(message))
  const turns = rest.map(readTurn).filter(({ blocks }) => blocks.length > 0)
  const written = turns.map(({ role, blocks }) => ({
    role,
    content: replaceLoneSurrogates(blocks.map(asSaid).join('\n\n')),
  }))
  const [lone] = written
  const isLone = written.length === 1 && lone?.role === 'user'
  return {
    ...(system.length === 0 ? {} : { systemPrompt: replaceLoneSurrogates(system.join('\n\n')) }),
    turns: written,
    prompt: isLone ? lone.content : asPrompt(turns, templates),
  }
}

function readTurn(message: ChatMessage): Turn {
  if (message.role === 'system') return { role: 'system', blocks: filled({ kind: 'user', text: message.text }) }
  if (message.role === 'assistant') return { role: 'assistant', blocks: serializeAssistant(message) }
  const text = contentText(contentOf(message))
  if (message.role !== 'toolResult') return { role: 'user', blocks: filled({ kind: 'user', text }) }
  return { role: 'user', blocks: [{ kind: 'toolResult', text: text || '(no output)' }] }
}

/** The last word of the user says what is to be done with all before it; without one it is what a summary is. */
function asPrompt(turns: readonly Turn[], templates: Templates): string {
  const last = turns.at(-1)
  const request = last?.blocks.length === 1 && last.blocks[0]?.kind === 'user' ? last.blocks[0].text : undefined
  const alreadyShown = request === undefined ? turns : turns.slice(0, -1)
  const conversation = writeTranscript(alreadyShown.flatMap(({ blocks }) => blocks))
  return framePrompt({ conversation, instructions: [request ?? templates.summary] })
}
