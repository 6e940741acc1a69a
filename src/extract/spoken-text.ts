import type { AssistantMessage } from '../session/message.ts'
import { textOf } from '../session/message.ts'
import { findBlocks, removeBlocks } from '../text/find-in-text.ts'

const THINKING = '<think>'

/** Returns what an agent says in a message, without the thoughts that some servers leave in its text, between tags. */
export function spokenText({ content }: AssistantMessage): string {
  const text = textOf(content)
  return text.includes(THINKING) ? removeBlocks(text, findBlocks(text, /<think>/, '</think>')) : text
}
