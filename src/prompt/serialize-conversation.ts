import { LABELS } from '../session/transcript.ts'
import { replaceLoneSurrogates } from '../text/shorten.ts'
import { fitBudget } from './fit-budget.ts'
import { escapeLabels } from './frame-prompt.ts'
import type { Block, LabelledText } from './transcript-piece.ts'

/**
 * Returns blocks as the transcript that a model reads (docs/contract.md, "Conversation form"). What fits the budget is not cut, apart
 * from outputs that are there twice; what does not is cut by value (`fitBudget`). The words of the user stay whole.
 * `framePrompt` escapes boundary tags.
 * @returns well-formed text; empty where no message has any text
 */
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
