import { diffLists, type Difference } from '../text/diff-lists.ts'

/** A line of a comparison by content. One that changed has the words that only one of the versions has. */
export type ComparedLine =
  { kind: 'added' | 'removed' | 'same' | 'moved'; text: string } | { kind: 'changed'; words: readonly Words[] }

type Words = Difference<string>

/** How much of two lines must be the same words for one to be a change of the other. */
const MIN_SHARED = 0.5

/** A word of more lines says nothing about which of them belong together. */
const MAX_LINES_OF_WORD = 20

/** Of lines that differ in more words, the old one is shown before the new one. */
const MAX_WORD_EDITS = 400

/**
 * Returns the lines of two versions of a summary by what they say: neither indentation, nor the marks of headings, lists and code,
 * nor blank lines count. A line that stands elsewhere has moved, and one with mostly the same words has changed.
 */
export function compareContents(before: string, after: string): ComparedLine[] {
  const lines = diffLists(readLines(before), readLines(after), {
    isEqual: (left, right) => left.content === right.content,
  })
  const only = (kind: Words['kind']): Line[] => lines.flatMap((line) => (line.kind === kind ? line.item : []))
  const added = only('added')
  const removed = new Set(only('removed'))
  const moved = findMoved(removed, added)
  for (const partner of moved.values()) removed.delete(partner)
  const changed = findChanged(
    removed,
    added.filter((line) => !moved.has(line)),
  )
  return lines.flatMap(({ kind, item }): ComparedLine[] => {
    if (moved.has(item)) return [{ kind: 'moved', text: item.text }]
    const words = changed.get(item)
    if (words !== undefined) return [{ kind: 'changed', words }]
    return kind === 'removed' && !removed.has(item) ? [] : [{ kind, text: item.text }]
  })
}

interface Line {
  text: string
  /** What the line says, without the marks of Markdown. */
  content: string
}

const readLines = (text: string): Line[] =>
  text
    .split('\n')
    .map((line) => ({ text: line.trimEnd(), content: contentOf(line) }))
    .filter(({ content }) => content !== '')

const MARKS = /^(?:[#>+-]+ |\d{1,4}[.)] |\[[ xX]\] )/

function contentOf(line: string): string {
  let content = line.replace(/[*`]/g, '').trim()
  for (let mark = MARKS.exec(content); mark !== null; mark = MARKS.exec(content))
    content = content.slice(mark[0].length).trimStart()
  return /^[-_~#>]*$/.test(content) ? '' : content.split(/\s+/).join(' ')
}

/** Returns the added lines that say what a removed one said, with that one. */
function findMoved(removed: ReadonlySet<Line>, added: readonly Line[]): Map<Line, Line> {
  const places = new Map<string, Line[]>()
  for (const line of removed) addTo(places, line.content, line)
  const moved = new Map<Line, Line>()
  for (const line of added) {
    const partner = places.get(line.content)?.pop()
    if (partner !== undefined) moved.set(line, partner)
  }
  return moved
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Returns the added lines that a removed one has become, with their words. The removed one is taken out of its set. */
function findChanged(removed: Set<Line>, added: readonly Line[]): Map<Line, readonly Words[]> {
  const words = new Map([...removed].map((line) => [line, wordsOf(line)]))
  const lines = new Map<string, Line[]>()
  for (const [line, own] of words) for (const word of own) addTo(lines, word, line)
  const changed = new Map<Line, readonly Words[]>()
  for (const line of added) {
    const partner = nearestTo(wordsOf(line), words, lines)
    if (partner === undefined) continue
    changed.set(line, compareWords(partner.text.trim(), line.text.trim()))
    words.delete(partner)
    removed.delete(partner)
  }
  return changed
}

const wordsOf = ({ content }: Line): ReadonlySet<string> =>
  new Set(content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Returns the line that shares most words with others; undefined if that is less than half of them. */
function nearestTo(
  words: ReadonlySet<string>,
  free: ReadonlyMap<Line, ReadonlySet<string>>,
  lines: ReadonlyMap<string, readonly Line[]>,
): Line | undefined {
  const shared = new Map<Line, number>()
  for (const found of [...words].map((word) => lines.get(word) ?? []))
    if (found.length <= MAX_LINES_OF_WORD)
      for (const line of found) if (free.has(line)) shared.set(line, (shared.get(line) ?? 0) + 1)
  const shares = [...shared].map(([line, count]) => ({
    line,
    share: (2 * count) / (words.size + (free.get(line)?.size ?? 0)),
  }))
  const [best] = shares.sort((left, right) => right.share - left.share)
  return best !== undefined && best.share >= MIN_SHARED ? best.line : undefined
}

/** Returns the words of two lines, and what is between them. */
function compareWords(before: string, after: string): Words[] {
  const words: Words[] = []
  for (const { kind, item } of diffLists(partsOf(before), partsOf(after), { maxEdits: MAX_WORD_EDITS })) {
    const last = words.at(-1)
    if (last?.kind === kind) last.item += item
    else words.push({ kind, item })
  }
  return words
}

const partsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
