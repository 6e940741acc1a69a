import type { ContentBlock } from '../session/message.ts'
import { mapInSteps, runSteps, type Steps } from '../steps.ts'
import { LABELS } from '../session/transcript-labels.ts'
import { escapeLabels } from './escape-boundaries.ts'
import { replaceLoneSurrogates } from './replace-lone-surrogates.ts'
import type { TranscriptBlock } from './serialize-assistant.ts'

/** Writes blocks with their labels, parted by a blank line; no text can pass for a label at the start of a line. */
export const writeTranscript = (blocks: readonly TranscriptBlock[]): string => runSteps(writeInSteps(blocks))

/** The same, a block a step. */
export function* writeInSteps(blocks: readonly TranscriptBlock[]): Steps<string> {
  const written = yield* mapInSteps(blocks, ({ kind, text }) =>
    replaceLoneSurrogates(`${LABELS[kind]} ${escapeLabels(text.trimEnd())}`),
  )
  return written.join('\n\n')
}

/** What a reader is shown of a message's content: its texts, and that there was an image. */
export const contentText = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : block.type === 'image' ? '[Image]' : ''))
    .filter((text) => text !== '')
    .join('\n')
