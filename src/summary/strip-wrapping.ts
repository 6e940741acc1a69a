import { stripThinking } from './strip-thinking.ts'
import { stripToolCalls } from './strip-tool-calls.ts'
import { unwrapFence } from './unwrap-fence.ts'

/**
 * Strips what a model wrote around its summary: thinking, tool calls, a code fence around the whole.
 * @returns the summary, trimmed; empty where nothing else was there
 */
export function stripWrapping(text: string): string {
  return unwrapFence(stripToolCalls(stripThinking(text)).trim())
}
