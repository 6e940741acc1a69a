import type { Message } from '../../session/message.ts'
import { toolResult } from '../shared/messages.ts'

/** An event in a prompt of OpenHands, with its offsets. */
interface TranscriptEvent {
  /** Its class: `MessageEvent`, `CmdOutputObservation`. */
  kind: string
  text: string
  /** Whether the user is its source. */
  isUsers: boolean
  start: number
  end: number
}

const OPEN = /^<EVENT(?: id=[^>\n]{0,100})?>\s?/
const CLOSE = '</EVENT>'

/** Where one event ends and the next one begins. Either tag alone may be in what somebody says. */
const BETWEEN = /<\/EVENT>\s*(?=<EVENT(?: id=[^>\n]{0,100})?>)/g

/** Returns the events of a transcript; none if it has another syntax. */
export function findEvents(transcript: string): TranscriptEvent[] {
  const last = transcript.lastIndexOf(CLOSE)
  if (!OPEN.test(transcript) || last < 0) return []
  const ends = [...transcript.slice(0, last).matchAll(BETWEEN)]
  return [...ends, undefined].map((end, index) => {
    const before = ends[index - 1]
    const start = before === undefined ? 0 : before.index + before[0].length
    const innerEnd = end?.index ?? last
    const inner = transcript.slice(start, innerEnd).replace(OPEN, '')
    return { ...readEvent(inner), start, end: innerEnd + CLOSE.length }
  })
}

/** The first line: `MessageEvent (user)` (OpenHands 1), `**MessageAction** (source=EventSource.USER)` (before). */
const HEAD = /^\*{0,2}(\w{1,60})\*{0,2}[ \t]{0,4}(?:\(([^)\n]{0,300})\)\*{0,2})?:?[ \t]{0,4}/

/** The names of fields at the beginnings of lines. */
const FIELDS = /^(?: {2}(?:Thought|Result|Error|Reason)|THOUGHT|COMMAND): ?/gm

/** The same before what somebody says, which may have such lines of its own. */
const SPOKEN = /^\s{0,4}(?:user|assistant|CONTENT): ?/

/** Fields that only repeat which tool it was, and marks around an output. */
const NOISE = /^(?: {2}(?:Tool|Action|Call): .{0,200}|--(?:BEGIN|END) AGENT OBSERVATION--)$/gm

function readEvent(inner: string): Omit<TranscriptEvent, 'start' | 'end'> {
  const text = inner.trim()
  const [head = '', kind = '', source = ''] = HEAD.exec(text) ?? []
  const rest = text.slice(head.length)
  const isSpoken = /^(?:Message|Condensation|AgentCondensation)/.test(kind)
  return {
    kind,
    text: (isSpoken ? rest.replace(SPOKEN, '') : rest.replace(NOISE, '').replace(FIELDS, '')).trim(),
    isUsers: /^(?:user$|source=EventSource\.USER)/.test(source),
  }
}

/** Returns the earlier summary that an event is, without a line that is cut; undefined for other events. */
export function readSummaryEvent({ kind, text }: TranscriptEvent): string | undefined {
  if (kind !== 'CondensationSummaryEvent' && kind !== 'AgentCondensationObservation') return undefined
  return text.length === PREVIEW_CHARACTERS && text.endsWith('...') ? text.slice(0, text.lastIndexOf('\n')) : text
}

/** As much of a text has OpenHands 1 in an event, the dots included. */
const PREVIEW_CHARACTERS = 500

/** Reads events into messages: who said what, and what the tools returned. */
export const readEventTranscript = (events: readonly TranscriptEvent[]): Message[] => events.flatMap(readMessage)

function readMessage({ kind, text, isUsers }: TranscriptEvent): Message[] {
  if (text === '' || kind === 'SystemPromptEvent') return []
  const content = [{ type: 'text' as const, text }]
  if (/^Message/.test(kind)) return [{ role: isUsers ? 'user' : 'assistant', content }]
  if (/Observation|Error/.test(kind)) return [{ ...toolResult('', text), isError: kind.includes('Error') }]
  return [{ role: 'assistant', content }]
}
