import { count, counted } from './numbers.ts'

/** The names of the kinds of facts that code finds in a session (`schemas/comparison.ts`). */
export const FACT_NAMES = {
  request: 'requests',
  demand: 'lasting demands',
  'open-item': 'open items',
  'changed-file': 'changed files',
  'read-file': 'files that were read',
  command: 'commands',
  error: 'errors',
  number: 'numbers of the user',
  commit: 'commits',
} as const

export const factName = (kind: keyof typeof FACT_NAMES): string => kind.replace('-', ' ')

const WRITERS: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  cline: 'Cline',
  'cline-legacy': 'Roo Code or Kilo Code',
  goose: 'Goose',
  gencode: 'GenCode',
  'openhands-v0': 'OpenHands',
  'openhands-v1': 'OpenHands',
  atif: 'the agent',
  precis: 'Précis',
}

/** Returns the name of an agent, by the id of its format. */
export const agentName = (writer: string): string => WRITERS[writer] ?? writer

/** Who wrote the two summaries of a comparison. */
export interface Writers {
  agent: string
  precis: string
}

interface WrittenSummaries {
  agent: { writer: string; model?: string }
  precis: { report: { model: string } }
}

export const writersOf = ({ agent, precis: { report } }: WrittenSummaries): Writers => ({
  agent: `${agentName(agent.writer)}${agent.model === undefined ? '' : ` (${agent.model})`}`,
  precis: `Précis (${report.model === 'embedded' ? 'embedded summarizer' : report.model})`,
})

/** Returns the facts that only one of the summaries has, and those that none has, with their titles. */
export const groupFacts = <F extends { inAgent: boolean; inPrecis: boolean }>(
  facts: readonly F[],
  { agent, precis }: Writers,
): { title: string; facts: F[] }[] =>
  [
    { title: `Only ${precis} has`, facts: facts.filter(({ inAgent, inPrecis }) => inPrecis && !inAgent) },
    { title: `Only ${agent} has`, facts: facts.filter(({ inAgent, inPrecis }) => inAgent && !inPrecis) },
    { title: 'None of them has', facts: facts.filter(({ inAgent, inPrecis }) => !inAgent && !inPrecis) },
  ].filter((group) => group.facts.length > 0)

interface ComparedCompaction {
  number: number
  of: number
  entries: number
  tokens: number
  previousEntryId?: string
}

/** Returns what a compaction replaced, in a sentence. */
export function describeReplacedEntries({
  compaction,
  agent,
}: {
  compaction: ComparedCompaction
  agent: { tokens: number }
}): string {
  const { number, of, entries, tokens, previousEntryId } = compaction
  const before = previousEntryId === undefined ? '' : ', and the summary before them,'
  return `Compaction ${number} of ${of} replaced ${counted(entries, 'entry', 'entries')} (${counted(tokens, 'token')})${before} by a summary of ${counted(agent.tokens, 'token')}.`
}

/** The one summary is that much longer than the other when it is worth a sentence. */
const LONGER = 1.25

/** Returns that one summary is much longer, so that it has room for more facts; empty if both are about as long. */
export function describeLengths(reply: WrittenSummaries & Record<'agent' | 'precis', { tokens: number }>): string {
  const { agent, precis } = writersOf(reply)
  const isPrecisLonger = reply.precis.tokens > reply.agent.tokens
  const [name, longer, shorter] = isPrecisLonger
    ? [precis, reply.precis.tokens, reply.agent.tokens]
    : [agent, reply.agent.tokens, reply.precis.tokens]
  const times = longer / Math.max(1, shorter)
  if (times < LONGER) return ''
  return `The summary by ${name} is ${times.toFixed(1)} times as long as the other: it has room for more facts, and costs more of the context.`
}

interface Encrypted {
  encryptedAt?: number
  report?: { format?: string }
}

/** Returns that the agent has compacted the session in a way that nobody else can read; empty if it has not. */
export function describeEncrypted({ encryptedAt, report }: Encrypted): string {
  if (encryptedAt === undefined) return ''
  const name = report?.format === undefined ? 'The agent' : agentName(report.format)
  return `${name} compacted this session at entry ${count(encryptedAt)} with a summary that only the provider of its model can read: it is encrypted. The agent no longer reads what it replaced; Précis plans as if it did.`
}
