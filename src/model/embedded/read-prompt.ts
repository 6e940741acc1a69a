import { findBlocks } from '../../session/find-blocks.ts'
import { findConversation } from '../../session/find-conversation.ts'
import type { Message } from '../../session/message.ts'
import { parseInSteps } from '../../session/parse-conversation.ts'
import type { Steps } from '../../steps.ts'
import { parseForeignTranscript } from './parse-foreign-transcript.ts'

/** What can be read of a prompt that a client has written. */
export interface PromptContent {
  messages: Message[]
  previousSummary?: string
}

/**
 * Reads the conversation and the previous summary out of a client's prompt; its instructions are for a model and are
 * left out. A transcript may have any syntax (docs/clients.md, "oh-my-pi"). Without tags, all of the prompt is the conversation.
 */
export function* readPrompt(prompt: string): Steps<PromptContent> {
  const found = findConversation(prompt)
  const rest = found === undefined ? prompt : prompt.slice(0, found.start) + prompt.slice(found.end)
  const previousSummary = findBlocks(rest, /<previous-summary>/, '</previous-summary>')[0]?.inner.trim()
  const transcript =
    found === undefined && previousSummary === undefined ? prompt : prompt.slice(found?.start, found?.end ?? 0)
  return {
    messages: yield* readTranscript(unescapeTags(transcript)),
    ...(previousSummary === undefined ? {} : { previousSummary: unescapeTags(previousSummary) }),
  }
}

const OWN_LABEL = /^\[(?:User|Assistant(?: thinking| tool calls)?|Tool result)\]: /m

function* readTranscript(transcript: string): Steps<Message[]> {
  if (OWN_LABEL.test(transcript)) return (yield* parseInSteps(transcript)).map(({ message }) => message)
  return parseForeignTranscript(transcript)
}

/** Clients escape boundary tags inside the text. */
const unescapeTags = (text: string): string => text.replaceAll('&lt;', '<')
