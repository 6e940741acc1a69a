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
 * messages. The loop passes all messages each time, so the compacted list is used until the limit is crossed again.
 */
export function compactMessages({ url, token, limitTokens, keepRecentTokens }: Settings) {
  let head: ModelMessage[] = []
  let covered = 0
  return async ({ messages }: { messages: ModelMessage[] }): Promise<{ messages: ModelMessage[] }> => {
    const compacted = [...head, ...messages.slice(covered)]
    if (JSON.stringify(compacted).length / 4 < limitTokens) return { messages: compacted }
    const response = await fetch(`${url}/compaction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ session: compacted, format: 'ai-model', history: true, settings: { keepRecentTokens } }),
    })
    // An error costs no step: the messages stay as they are.
    if (!response.ok) return { messages: compacted }
    head = ((await response.json()) as { history: ModelMessage[] }).history
    covered = messages.length
    return { messages: head }
  }
}
