import { charactersOf, type SessionEntry } from './session-entry.ts'

const CHARACTERS_PER_TOKEN = 4

/** Returns a session with the usage that a provider reports in every answer: planners scale their own counts by it. */
export function reportUsage(entries: readonly SessionEntry[]): SessionEntry[] {
  let input = 0
  return entries.map((entry) => {
    const { message } = entry
    if (message === undefined) return entry
    const tokens = Math.ceil(charactersOf(message) / CHARACTERS_PER_TOKEN)
    const usage = { input, output: tokens, cacheRead: 0, cacheWrite: 0, totalTokens: input + tokens }
    input += tokens
    return message.role === 'assistant' ? { ...entry, message: { ...message, usage } } : entry
  })
}
