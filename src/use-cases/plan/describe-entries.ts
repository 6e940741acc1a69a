import { outcomeOf } from '../../extract/runs.ts'
import { isTurnBeginning } from '../../plan/choose-cut.ts'
import type { CompactionPlan } from '../../plan/plan-compaction.ts'
import type { Redaction } from '../../redact/redaction.ts'
import type { PlannedEntry } from '../../schemas/plan.ts'
import type { Entry } from '../../session/entry.ts'
import { toolCallsOf, type ContentBlock, type Message } from '../../session/message.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { estimateMessageTokens } from '../../tokens/estimate-tokens.ts'

interface PlannedBranch {
  branch: readonly Entry[]
  plan: CompactionPlan
  /** Only if the reply says more about each entry. */
  redaction?: Redaction | undefined
  /** Where the session begins in the posted document, in bytes. */
  offset?: number
}

/** Returns every entry of a request with what a plan makes of it. */
export function describeEntries(
  entries: readonly Entry[],
  { branch, plan, redaction, offset = 0 }: PlannedBranch,
): PlannedEntry[] {
  const regions = new Map(branch.map(({ id }, index) => [id, plan.regions[index]]))
  return entries.map((entry) => {
    const { id, type, role, message } = entry
    const region = regions.get(id) ?? 'ignored'
    return {
      id,
      type,
      ...(role === undefined ? {} : { role }),
      tokens: region === 'ignored' || message === undefined ? 0 : estimateMessageTokens(message),
      region,
      ...(regions.has(id) || redaction === undefined ? {} : { isOffBranch: true }),
      ...(redaction === undefined ? {} : describeContent(entry, redaction, offset)),
    }
  })
}

function describeContent(entry: Entry, redaction: Redaction, offset: number): Partial<PlannedEntry> {
  const { message, compaction, precedesEncrypted, range } = entry
  const tools = message === undefined ? [] : toolsOf(message)
  // Before the text is shortened: a secret may be recognized by the name of its argument, which the short text leaves out.
  const [redacted] = message === undefined ? [] : redaction.messages([message])
  const text = redacted === undefined ? redaction.text(compaction?.summary ?? '') : leadOf(redacted)
  return {
    text: shorten(oneLine(text.slice(0, READ_CHARACTERS)), TEXT_CHARACTERS),
    ...(tools.length === 0 ? {} : { tools }),
    ...(isTurnBeginning(entry) ? { startsTurn: true } : {}),
    ...(message !== undefined && hasFailed(message) ? { isError: true } : {}),
    ...(compaction?.isOpaque === true ? { encryptedCompaction: 'this' } : {}),
    ...(precedesEncrypted === true ? { encryptedCompaction: 'next' } : {}),
    range: { start: range.start + offset, end: range.end + offset },
  }
}

const TEXT_CHARACTERS = 160

/** More than is shown: white space is removed. */
const READ_CHARACTERS = 600

/** Names of tools that are shown of one message. */
const MAX_TOOLS = 5

const toolsOf = (message: Message): string[] =>
  message.role === 'toolResult'
    ? [message.toolName].filter((name) => name !== '')
    : [...new Set(toolCallsOf(message).map(({ name }) => name))].slice(0, MAX_TOOLS)

/** Returns the text by which a reader recognizes a message: its words or its first call, and `[Image]` if it has only images. */
function leadOf(message: Message): string {
  switch (message.role) {
    case 'bashExecution':
      return `$ ${message.command}`
    case 'branchSummary':
    case 'compactionSummary':
      return message.summary
    default:
      return leadOfBlocks(message.content)
  }
}

function leadOfBlocks(content: readonly ContentBlock[]): string {
  const lead = content.map(leadOfBlock).find((text) => text.trim() !== '')
  return lead ?? (content.some(({ type }) => type === 'image') ? '[Image]' : '')
}

function leadOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'toolCall':
      return `${block.name} ${firstArgument(block.arguments)}`
    case 'thinking':
    case 'image':
      return ''
  }
}

function firstArgument(values: unknown): string {
  if (typeof values === 'string') return values
  if (typeof values !== 'object' || values === null) return ''
  const text = Object.values(values).find((value) => typeof value === 'string')
  return typeof text === 'string' ? text : ''
}

function hasFailed(message: Message): boolean {
  switch (message.role) {
    case 'toolResult':
      return outcomeOf({ result: message }).kind === 'failed'
    case 'bashExecution':
      return outcomeOf({ result: message, command: message.command }).kind === 'failed'
    case 'assistant':
      return message.stopReason === 'error'
    default:
      return false
  }
}
