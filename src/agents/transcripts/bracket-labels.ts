import type { BlockKind, TranscriptBlock } from '../../session/transcript.ts'

/** The clients whose transcripts have labels in brackets: we and oh-my-pi, opencode 1.18, Cline 3.0. */
type Dialect = 'own' | 'opencode' | 'cline'

/** The meaning of the labels, and the only agents whose transcripts have them. */
const LABELS: Readonly<Record<string, { kind: BlockKind; only?: Dialect }>> = {
  User: { kind: 'user' },
  Assistant: { kind: 'assistant' },
  'Tool result': { kind: 'toolResult' },
  'Assistant thinking': { kind: 'thinking', only: 'own' },
  'Assistant tool calls': { kind: 'toolCalls', only: 'own' },
  'Assistant reasoning': { kind: 'thinking', only: 'opencode' },
  'Assistant tool call': { kind: 'toolCalls', only: 'opencode' },
  'Tool error': { kind: 'toolResult', only: 'opencode' },
  Bot: { kind: 'assistant', only: 'cline' },
  'Bot thinking': { kind: 'thinking', only: 'cline' },
  'Bot tool calls': { kind: 'toolCalls', only: 'cline' },
}

const LABEL =
  /^\[(User|Assistant(?: thinking| tool calls?| reasoning)?|Tool (?:result|error)|Bot(?: thinking| tool calls)?)\]:(?: |$)/gm

export interface BracketLabel {
  kind: BlockKind
  start: number
  end: number
}

/** Returns where the first label in brackets begins; -1 without one. */
export const findFirstBracket = (transcript: string): number => transcript.search(LABEL)

/**
 * Finds the labels in brackets that begin blocks: at the start, and after a blank line. opencode writes the parts of one
 * answer, and their results, on lines that follow each other. The first label that only one client has decides whose
 * transcript it is; the labels of other clients are text.
 */
export function findBrackets(transcript: string): BracketLabel[] {
  const labels: BracketLabel[] = []
  let dialect: Dialect | undefined
  for (const { index: start, 0: label, 1: name = '' } of transcript.matchAll(LABEL)) {
    const { kind, only } = LABELS[name] ?? { kind: 'user' }
    if (only !== undefined && only !== (dialect ?? only)) continue
    if (name === 'Assistant' && dialect === 'cline') continue
    const isInAnswer = (dialect ?? only) === 'opencode' && kind !== 'user' && (labels.at(-1)?.kind ?? 'user') !== 'user'
    if (!isInAnswer && !followsBlankLine(transcript, start) && labels.length > 0) continue
    dialect ??= only
    labels.push({ kind, start, end: start + label.length })
  }
  return labels
}

function followsBlankLine(transcript: string, index: number): boolean {
  const lineStart = transcript.lastIndexOf('\n', index - 2) + 1
  return transcript.slice(lineStart, Math.max(lineStart, index - 1)).trim() === ''
}

/** Splits a transcript at its labels in brackets. Text before the first one is the user's. */
export function splitBrackets(transcript: string): TranscriptBlock[] {
  const lead: BracketLabel = { kind: 'user', start: 0, end: 0 }
  const labels = [lead, ...findBrackets(transcript)]
  const blocks = labels.map(({ kind, start, end: textStart }, index) => {
    const text = transcript.slice(textStart, labels[index + 1]?.start).trimEnd()
    return { kind, text, start, end: textStart + text.length }
  })
  return blocks.filter(({ end }) => end > 0)
}
