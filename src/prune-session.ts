import { createPace } from './pace.ts'
import { pruneNotice, pruneToolOutputs } from './plan/prune-tool-outputs.ts'
import type { PruneReply, PruneRequest } from './schemas/prune.ts'
import { readBranch } from './session/read-branch.ts'

type Raw = Record<string, unknown>

/**
 * Prunes a session's tool outputs: `POST /prune`. What is not pruned comes back as it came.
 * @param prunedAt milliseconds since the epoch, written into what was pruned, as oh-my-pi does: it stays pruned
 * @throws Problem `invalid-session`
 */
export async function pruneSession(request: PruneRequest, prunedAt: number): Promise<PruneReply> {
  const branch = await readBranch(request, createPace())
  const { pruned, tokensSaved } = pruneToolOutputs(branch, request.prune)
  const tokensByIndex = new Map(pruned.map(({ entry, tokens }) => [entry.index, tokens]))
  const prune = (message: Raw, index: number): Raw => {
    const tokens = tokensByIndex.get(index)
    return tokens === undefined ? message : { ...message, content: pruneContent(message['content'], tokens), prunedAt }
  }
  const pruneEntry = (entry: Raw, index: number): Raw =>
    tokensByIndex.has(index) ? { ...entry, message: prune(entry['message'] as Raw, index) } : entry
  return {
    ...('entries' in request
      ? { entries: request.entries.map(pruneEntry) }
      : { messages: request.messages.map(prune) }),
    pruned: pruned.map(({ entry, tokens }) => ({ id: entry.id, tokens })),
    tokensSaved,
  }
}

/** The notice, in the shape that the content had. */
function pruneContent(content: unknown, tokens: number): unknown {
  const text = pruneNotice(tokens)
  return typeof content === 'string' ? text : [{ type: 'text', text }]
}
