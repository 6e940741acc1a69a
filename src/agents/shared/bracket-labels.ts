import type { Message } from '../../session/message.ts'
import { readBlocks } from '../../session/parse-transcript.ts'
import type { BlockKind, TranscriptBlock } from '../../session/transcript.ts'

/** The clients whose transcripts have labels in brackets: we and oh-my-pi, opencode 1.18, Cline 3.0. */
type Dialect = 'own' | 'opencode' | 'cline'

interface LabelMeaning {
  kind: BlockKind
  /** The only agent whose transcripts have it. */
  only?: Dialect
  /** Whether the client has added the text, and not the user: a file, the output of a command. */
  isClients?: true
}

const addedBy = (only: Dialect): LabelMeaning => ({ kind: 'user', only, isClients: true })

/** The meaning of the labels, by their words before a name. */
const LABELS: Readonly<Record<string, LabelMeaning>> = {
  User: { kind: 'user' },
  Assistant: { kind: 'assistant' },
  'Tool result': { kind: 'toolResult' },
  'Assistant thinking': { kind: 'thinking', only: 'own' },
  'Assistant tool calls': { kind: 'toolCalls', only: 'own' },
  'Assistant reasoning': { kind: 'thinking', only: 'opencode' },
  'Assistant tool call': { kind: 'toolCalls', only: 'opencode' },
  'Tool error': { kind: 'toolResult', only: 'opencode' },
  Shell: addedBy('opencode'),
  'Synthetic context': addedBy('opencode'),
  'System update': addedBy('opencode'),
  'Skill activated': addedBy('opencode'),
  Bot: { kind: 'assistant', only: 'cline' },
  'Bot thinking': { kind: 'thinking', only: 'cline' },
  'Bot tool calls': { kind: 'toolCalls', only: 'cline' },
  'User file': addedBy('cline'),
  'User image': addedBy('cline'),
  'Bot file': addedBy('cline'),
  'Bot image': addedBy('cline'),
}

const LABEL =
  /^\[(?:(User|Assistant(?: thinking| tool calls?| reasoning)?|Tool (?:result|error)|Bot(?: thinking| tool calls)?|(?:User|Bot) (?:file(?= )|image)|Shell|Synthetic context|System update)(?:(?<= file) (?:[^\]\n]|\](?!:)){1,300})?\]:(?: |$)|(Skill activated): [^\]\n]{1,100}\]$)/gm

interface BracketLabel extends Pick<LabelMeaning, 'kind' | 'isClients'> {
  start: number
  end: number
}

/** Returns where the first label in brackets begins; -1 without one. */
export const findFirstBracket = (transcript: string): number => transcript.search(LABEL)

/**
 * Finds the labels in brackets that begin blocks: at the start, and after a blank line. opencode and Cline write the parts of one
 * message on lines that follow each other. The first label that only one client has decides whose transcript it is; the labels of
 * other clients are text.
 */
export function findBrackets(transcript: string): BracketLabel[] {
  const labels: BracketLabel[] = []
  let dialect: Dialect | undefined
  for (const { index: start, 0: label, 1: name, 2: named = 'User' } of transcript.matchAll(LABEL)) {
    const { only, ...meaning } = LABELS[name ?? named] ?? { kind: 'user' }
    if (only !== undefined && only !== (dialect ?? only)) continue
    if (name === 'Assistant' && dialect === 'cline') continue
    const isPart = PARTS[dialect ?? only ?? 'own'](meaning, labels.at(-1))
    if (!isPart && !followsBlankLine(transcript, start) && labels.length > 0) continue
    dialect ??= only
    labels.push({ ...meaning, start, end: start + label.length })
  }
  return labels
}

type IsPart = (label: Pick<LabelMeaning, 'kind' | 'isClients'>, last: BracketLabel | undefined) => boolean

/** Whether a label begins a part of the message of the last label. A user's words never do: a tool may have written the line. */
const PARTS: Readonly<Record<Dialect, IsPart>> = {
  own: () => false,
  opencode: ({ kind }, last) => kind !== 'user' && (last?.kind ?? 'user') !== 'user',
  cline: ({ kind, isClients }, last) =>
    isClients === true || (kind !== 'user' && last !== undefined && isResult(kind) === isResult(last.kind)),
}

const isResult = (kind: BlockKind): boolean => kind === 'toolResult' || kind === 'user'

function followsBlankLine(transcript: string, index: number): boolean {
  const lineStart = transcript.lastIndexOf('\n', index - 2) + 1
  return transcript.slice(lineStart, Math.max(lineStart, index - 1)).trim() === ''
}

/** Splits a transcript at its labels in brackets. Text before the first one is the user's. */
export function splitBrackets(transcript: string): TranscriptBlock[] {
  const lead: BracketLabel = { kind: 'user', start: 0, end: 0 }
  const labels = [lead, ...findBrackets(transcript)]
  const blocks = labels.map(({ end: textStart, ...label }, index) => {
    const text = transcript.slice(textStart, labels[index + 1]?.start).trimEnd()
    return { ...label, text, end: textStart + text.length }
  })
  return blocks.filter(({ end }) => end > 0)
}

/**
 * Reads the newer messages that opencode 2 keeps beside a summary, as a transcript with labels in brackets. Nothing says who wrote
 * what precedes the first label: it may be the end of any message.
 */
export function readKeptMessages(text: string): Message[] {
  const at = findFirstBracket(text)
  const lead = (at < 0 ? text : text.slice(0, at)).trim()
  const spoken = at < 0 ? [] : readBlocks(splitBrackets(text.slice(at))).map(({ message }) => message)
  return lead === '' ? spoken : [{ role: 'custom', content: [{ type: 'text', text: lead }] }, ...spoken]
}
