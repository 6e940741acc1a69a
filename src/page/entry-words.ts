import { counted } from '../text/numbers.ts'
import { KIND_NAMES, kindOf, REGION_NAMES, type SessionEntry } from './strip-layout.ts'

/** Returns what an entry is, in words: for its row, and for screen readers. */
export function nameEntry(entry: SessionEntry): string {
  const kind = kindOf(entry)
  const tools = entry.tools === undefined ? '' : `: ${entry.tools.join(', ')}`
  const name = kind === 'other' ? entry.type.replaceAll('_', ' ') : KIND_NAMES[kind]
  return `${name}${tools}${entry.isError === true ? ' (failed)' : ''}`
}

/** Returns what a compaction does with an entry, in words. */
export function nameRegion(entry: SessionEntry): string {
  if (entry.isOffBranch === true) return 'On a branch that was left'
  if (entry.encryptedCompaction === 'this') return 'Its summary is encrypted'
  return kindOf(entry) === 'compaction' && entry.region === 'ignored'
    ? 'Its summary was replaced by a later one'
    : REGION_NAMES[entry.region]
}

/** Returns a sentence about an entry and its place. */
export function describeEntry(entry: SessionEntry | undefined, index: number, total: number): string {
  if (entry === undefined) return ''
  const place = `Entry ${index + 1} of ${total}`
  const text = entry.text === undefined || entry.text === '' ? '' : `. ${entry.text}`
  return `${place}, ${nameEntry(entry)}, ${counted(entry.tokens, 'token')}, ${nameRegion(entry)}${text}`
}
