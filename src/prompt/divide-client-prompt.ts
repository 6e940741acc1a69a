import type { Division } from '../model/summarizer.ts'
import { findConversation } from '../session/find-conversation.ts'
import { dividePrompt } from './divide-prompt.ts'
import type { Templates } from './load-templates.ts'

/**
 * Tells how a prompt that a client has written is told in parts: its transcript is cut, and what stands before and
 * after it (system notes, `<previous-summary>`, instructions) is whole in every part and in the merge.
 * @returns undefined for a prompt without conversation tags: what in it may be cut is not known
 */
export function divideClientPrompt(prompt: string, templates: Templates): Division | undefined {
  const found = findConversation(prompt)
  if (found === undefined) return undefined
  const before = prompt.slice(0, found.start)
  const after = prompt.slice(found.end)
  const write = (text: string, remark: { text: string }): string =>
    [`${before}\n${text.trim()}\n${after}`, remark.text].filter(Boolean).join('\n\n')
  const conversation = prompt.slice(found.start, found.end)
  return dividePrompt({ conversation, unit: 'text', write }, templates).division
}
