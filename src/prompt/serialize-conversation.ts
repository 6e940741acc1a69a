import { pairMessages } from '../extract/runs.ts'
import type { Message } from '../session/message.ts'
import { LABELS } from '../session/transcript.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { fitBudget } from './fit-budget.ts'
import { escapeLabels } from './frame-prompt.ts'
import { blocksOf } from './transcript-blocks.ts'
import type { Block, LabelledText } from './transcript-piece.ts'

/**
 * Returns messages as the transcript that a model reads: labelled blocks (docs/contract.md, "Conversation form") with a
 * blank line between them. What fits the budget is not cut, apart from outputs that are there twice; what does not is cut
 * by value (`fitBudget`). The words of the user stay whole. No text can look like a label at the start of a line;
 * `framePrompt` escapes boundary tags.
 * @returns well-formed text; empty where no message has any text
 */
export function serializeConversation(messages: readonly Message[], budgetTokens: number): string {
  return writeBlocks(blocksOf(pairMessages(messages)), budgetTokens)
}

/** Returns the blocks of messages as a transcript within a budget. */
export const writeBlocks = (blocks: readonly Block[], budgetTokens: number): string =>
  writeTranscript(fitBudget(blocks, budgetTokens))

/**
 * Returns blocks with their labels and a blank line between them; no text can look like a label at the start of a line.
 */
export function writeTranscript(blocks: readonly LabelledText[]): string {
  const written = blocks
    .filter(({ text }) => text.trim() !== '')
    .map(({ kind, text }) => replaceLoneSurrogates(`${LABELS[kind]} ${escapeLabels(text.trimEnd())}`))
  return written.join('\n\n')
}
