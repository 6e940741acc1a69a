import { readTranscript } from '../../agents/transcripts/read.ts'
import { takeTranscriptSummary } from '../../agents/transcripts/summary.ts'
import { pairMessages, type PairedMessages } from '../../extract/runs.ts'
import type { SessionWork } from '../../extract/work-item.ts'
import { findConversation, findPreviousSummary } from '../../session/transcript.ts'
import { findBlocks, removeBlocks } from '../../text/find-in-text.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'

/** What is summarized: messages, or the readable content of a prompt that a client has written. */
export interface PromptContent extends PairedMessages {
  /** Left out where it is not known yet. */
  work?: SessionWork
  previousSummary?: string
  /** Left out where it is not parsed yet. */
  previousParts?: ParsedSummary
  /** What code adds to the text from it. */
  carriedTokens?: number
  /** Lines that the client gives the summarizer to know. */
  notes?: string[]
}

/**
 * Reads the conversation and the previous summary of a client's prompt; its instructions are for a model and are left
 * out. A transcript may have any syntax (docs/clients.md, "oh-my-pi"). Without tags, the whole prompt is the
 * conversation.
 */
export function readPrompt(prompt: string): PromptContent {
  const found = findConversation(prompt)
  const rest = found === undefined ? prompt : prompt.slice(0, found.start) + prompt.slice(found.end)
  const summaryBlock = findPreviousSummary(rest)
  const previousSummary = summaryBlock?.inner.trim()
  // The summary may quote these tags too.
  const others = removeBlocks(rest, summaryBlock === undefined ? [] : [summaryBlock])
  const [context] = findBlocks(others, /<additional-context>/, '</additional-context>')
  const whole =
    found === undefined && previousSummary === undefined ? prompt : prompt.slice(found?.start, found?.end ?? 0)
  const { transcript, summary, firstLabel } = takeTranscriptSummary(unescapeTags(whole))
  const earlier = [previousSummary === undefined ? undefined : unescapeTags(previousSummary), summary].filter(Boolean)
  return {
    ...pairMessages(readTranscript(transcript, firstLabel)),
    ...(earlier.length === 0 ? {} : { previousSummary: earlier.join('\n\n') }),
    notes: readNotes(context?.inner ?? ''),
  }
}

const MAX_NOTE_CHARACTERS = 500

/** Returns the items of a list; the lines below an item belong to it. */
const readNotes = (list: string): string[] =>
  unescapeTags(list)
    .split(/^- /m)
    .map((item) => shorten(oneLine(item), MAX_NOTE_CHARACTERS))
    .filter((item) => item !== '')

/** Clients escape boundary tags inside the text. */
const unescapeTags = (text: string): string => text.replaceAll('&lt;', '<')
