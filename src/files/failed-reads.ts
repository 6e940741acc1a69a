import { textOf, toolCallsOf, type Message, type ToolCallBlock, type ToolResultMessage } from '../session/message.ts'
import { isReadTool } from './tools.ts'

/** Returns the calls that were to read files and failed: they have read nothing. The last result of a call decides. */
export function findFailedReads(messages: Iterable<Message>): ReadonlySet<ToolCallBlock> {
  const reads = new Map<string, ToolCallBlock>()
  const failed = new Set<ToolCallBlock>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) {
      if (isReadTool(call.name, call.arguments)) reads.set(call.id, call)
      else reads.delete(call.id)
    }
    const call = message.role === 'toolResult' ? reads.get(message.toolCallId) : undefined
    if (call === undefined || message.role !== 'toolResult') continue
    if (hasFailed(message)) failed.add(call)
    else failed.delete(call)
  }
  return failed
}

/** Where the client does not say how a call ended, as in OpenAI's chat format, a result that is only an error counts. */
function hasFailed({ isError, exitCode = 0, isUnmarked, content }: ToolResultMessage): boolean {
  if (isError || exitCode !== 0) return true
  if (isUnmarked !== true || content.some(({ type }) => type !== 'text')) return false
  const text = textOf(content).trim()
  return text.length <= MAX_ERROR_CHARACTERS && READ_ERROR.test(text)
}

const MAX_ERROR_CHARACTERS = 500

/** What tools return for a file that they cannot read: opencode, Claude Code, Gemini CLI, Cline, SWE-agent, Node.js, Python. */
const READ_ERROR =
  /^(?:<tool_use_error>)?(?:error\b[^\n]{0,40}:|E(?:NOENT|ACCES|ISDIR)\b|(?:the )?(?:file|path)\b[^\n]{0,300}\b(?:not found|does not exist|doesn't exist)|no such file|(?:could not|cannot|can't|failed to|unable to) (?:read|open|find|access)\b|FileNotFoundError\b|permission denied)/i
