import { pruneNotice, pruneToolOutputs } from '../plan/prune-tool-outputs.ts'
import type { PruneReply, PruneRequest } from '../schemas/prune.ts'
import { readBranch } from '../session/read-session.ts'

type Raw = Record<string, unknown>

/**
 * Prunes a session's tool outputs: `POST /prune`. Everything else is returned unchanged.
 * @param prunedAt milliseconds since the epoch, written into pruned messages, as oh-my-pi does: they stay
 *   pruned
 * @throws Problem `invalid-session`
 */
export function pruneSession(request: PruneRequest, prunedAt: number): PruneReply {
  const branch = readBranch(request)
  const { pruned, tokensSaved } = pruneToolOutputs(branch, request.prune)
  const tokensOf = new Map(pruned.map(({ entry, tokens }) => [entry.raw['message'], tokens]))
  const prune = (message: Raw): Raw => {
    const tokens = tokensOf.get(message)
    return tokens === undefined ? message : { ...message, content: pruneContent(message['content'], tokens), prunedAt }
  }
  const pruneEntry = (entry: Raw): Raw =>
    tokensOf.has(entry['message']) ? { ...entry, message: prune(entry['message'] as Raw) } : entry
  return {
    ...('entries' in request
      ? { entries: request.entries.map(pruneEntry) }
      : { messages: request.messages.map(prune) }),
    pruned: pruned.map(({ entry, tokens }) => ({ id: entry.id, tokens })),
    tokensSaved,
  }
}

/** Returns the notice in the shape of the content that it replaces. */
function pruneContent(content: unknown, tokens: number): unknown {
  const text = pruneNotice(tokens)
  return typeof content === 'string' ? text : [{ type: 'text', text }]
}
