import type { PlannedEntry } from '../schemas/plan.ts'
import { counted } from '../text/numbers.ts'
import { KIND_NAMES, kindOf, REGION_NAMES } from './strip-layout.ts'

/** Returns what an entry is, in words: for its row, and for screen readers. */
export function nameEntry(entry: PlannedEntry): string {
  const kind = kindOf(entry)
  const tools = entry.tools === undefined ? '' : `: ${entry.tools.join(', ')}`
  const name = kind === 'other' ? entry.type.replaceAll('_', ' ') : KIND_NAMES[kind]
  return `${name}${tools}${entry.isError === true ? ' (failed)' : ''}`
}

/** Returns what a compaction does with an entry, in words. An earlier compaction itself is in the context as its summary only. */
export const nameRegion = (entry: PlannedEntry): string =>
  kindOf(entry) === 'compaction' && entry.region === 'ignored'
    ? 'Its summary stands for the entries before it'
    : REGION_NAMES[entry.region]

/** Returns a sentence about an entry and its place. */
export function describeEntry(entry: PlannedEntry | undefined, index: number, total: number): string {
  if (entry === undefined) return ''
  const place = `Entry ${index + 1} of ${total}`
  const text = entry.text === undefined || entry.text === '' ? '' : `. ${entry.text}`
  return `${place}, ${nameEntry(entry)}, ${counted(entry.tokens, 'token')}, ${nameRegion(entry)}${text}`
}
