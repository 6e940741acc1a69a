import type { Division, Place } from '../model/summarizer.ts'
import { escapeTags } from './escape-boundaries.ts'
import { fillTemplate } from './fill-template.ts'
import type { Templates } from './load-templates.ts'

/** What is told beside the usual: about the part it is, or about the summaries to be merged. Empty for the whole. */
export interface Remark {
  text: string
  isPart: boolean
}

interface DivisibleText extends Pick<Division, 'conversation' | 'unit'> {
  /** Writes the prompt around a transcript, or around what stands for one. */
  write: (conversation: string, remark: Remark) => string
}

/** Writes a prompt, and how it is told in parts and merged where it is larger than a model's window. */
export function dividePrompt(
  { conversation, unit, write }: DivisibleText,
  templates: Templates,
): { prompt: string; division: Division } {
  const division: Division = {
    conversation,
    unit,
    part: (text, place) => write(text, { text: fillTemplate(templates.part, { place: nameOf(place) }), isPart: true }),
    merge: (summaries) => write(summaries, { text: templates.merge, isPart: false }),
  }
  return { prompt: write(conversation, { text: '', isPart: false }), division }
}

/** A merge knows neither: what is first or last of a part that was cut again is told of the whole. */
function nameOf({ isFirst, isLast }: Place): string {
  if (isFirst) return 'its beginning'
  return isLast ? 'its end' : 'a part from its middle'
}

/** Writes summaries, oldest first, as what stands for their transcript; none can close the tags around them. */
export const joinSummaries = (summaries: readonly string[]): string =>
  summaries
    .map((summary, index) => `--- Part ${index + 1} of ${summaries.length} ---\n\n${escapeTags(summary.trim())}`)
    .join('\n\n')
