import { Problem } from '../errors.ts'
import type { Draft } from '../model/summarizer.ts'
import { takeFileTags } from '../plan/take-file-tags.ts'
import { takeShortSummary } from './take-short-summary.ts'

/**
 * Reads a draft: the short summary apart, and without file tags, which a model may copy from what it read; the lists are
 * made by code, and stand once.
 * @throws Problem `model-failed` where nothing else was in it
 */
export function readDraft({ text, model }: Draft): { text: string; shortSummary?: string } {
  const parts = takeShortSummary(text)
  const summary = takeFileTags(parts.text).text.trim()
  if (summary === '') throw new Problem('model-failed', `${model} answered with tags and no summary.`)
  return { ...parts, text: summary }
}
