import type { Entry } from './entry.ts'
import { defined } from '../text/defined.ts'
import type { ContentBlock, Message } from './message.ts'

type Raw = Readonly<Record<string, unknown>>

/** Returns an entry in the format of pi: one that was read from another format, with whole messages. */
export function writeEntry({ id, parentId, type, message, compaction, files, role }: Entry): Raw {
  const node = { type, id, parentId }
  if (compaction !== undefined) {
    const { summary, firstKeptEntryId } = compaction
    const hasFiles = files !== undefined && files.readFiles.length + files.modifiedFiles.length > 0
    return {
      ...node,
      summary,
      ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }),
      ...(hasFiles ? { details: files } : {}),
    }
  }
  if (message === undefined) return node
  if (message.role === 'branchSummary') return { ...node, summary: message.summary }
  const raw = writeMessage(message)
  // A text of a client in the role of the user is recognized again when it is read.
  return { ...node, message: role === 'user' ? { ...raw, role } : raw }
}

/** Returns a message in the format of pi. */
function writeMessage(message: Message): Raw {
  if (message.role === 'toolResult') return writeResult(message)
  const { cwd: _cwd, ...raw } = message
  return 'content' in raw ? { ...raw, content: raw.content.map(writeBlock) } : raw
}

function writeResult(result: Extract<Message, { role: 'toolResult' }>): Raw {
  const { role, toolCallId, toolName, content, isError, isUnmarked, isPruned, prunedAt = true } = result
  const { exitCode, userAnswers: results } = result
  const details = defined({ exitCode, results })
  return {
    ...{ role, toolCallId, toolName, content: content.map(writeBlock) },
    ...(isUnmarked === true ? {} : { isError }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(isPruned ? { prunedAt } : {}),
  }
}

const writeBlock = (block: ContentBlock): Raw =>
  block.type === 'image' ? (block.source ?? { type: 'image' }) : { ...block }
