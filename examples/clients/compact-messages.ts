import type { ModelMessage } from 'ai'

interface Settings {
  url: string
  token: string
  /** Messages of more tokens than this (at about four characters each) are compacted. */
  limitTokens: number
  /** How many of the newest tokens stay as they are. */
  keepRecentTokens: number
}

/**
 * Returns a function for `prepareStep` of the AI SDK: messages that have grown over the limit become a summary and the newest
 * messages. The loop passes all messages each time, so the summary is used until the limit is crossed again.
 */
export function compactMessages({ url, token, limitTokens, keepRecentTokens }: Settings) {
  let head: ModelMessage[] = []
  let covered = 0
  return async ({ messages }: { messages: ModelMessage[] }): Promise<{ messages: ModelMessage[] }> => {
    const compacted = (): ModelMessage[] => [...head, ...messages.slice(covered)]
    if (JSON.stringify(compacted()).length / 4 < limitTokens) return { messages: compacted() }
    const response = await fetch(`${url}/compaction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ session: messages, format: 'ai-model', settings: { keepRecentTokens } }),
    })
    // An error costs no step: the messages stay as they are.
    if (!response.ok) return { messages: compacted() }
    const reply = (await response.json()) as { summary: string; firstKeptEntryId: string }
    // Messages without ids are called item:1, item:2 and so on.
    covered = Number(reply.firstKeptEntryId.replace('item:', '')) - 1
    const summary = { role: 'user' as const, content: `<summary>\n${reply.summary}\n</summary>` }
    head = [...messages.slice(0, covered).filter(({ role }) => role === 'system'), summary]
    return { messages: compacted() }
  }
}
