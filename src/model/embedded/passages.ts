import { isFence } from '../../text/close-marks.ts'
import { headAndTail, oneLine, shorten } from '../../text/shorten.ts'
import { isFinding, scoreCues } from './passage-cues.ts'

/** A paragraph or a list that the agent wrote, on one line. */
export interface Passage {
  text: string
  /** The higher, the more it says. */
  score: number
}

/** How much of a text is read: its beginning and its end. */
const HEAD_CHARACTERS = 8000
const TAIL_CHARACTERS = 4000

const MAX_PASSAGE_CHARACTERS = 480
const MIN_PASSAGE_CHARACTERS = 24

/** Code of a few lines, such as a command to run, is a part of what the agent says. */
const MAX_CODE_CHARACTERS = 200

/** What the agent has found out may be said in a few words. */
const MIN_FINDING_CHARACTERS = 14

/** Whether a passage has enough words to say something. */
export const isLongEnough = (passage: string): boolean =>
  passage.length >= (isFinding(passage) ? MIN_FINDING_CHARACTERS : MIN_PASSAGE_CHARACTERS)

/** The mark of a list's first item: the passage itself becomes an item of the summary. */
const LIST_MARKER = /^[-*+•]\s/

/**
 * Splits an agent's text into passages: paragraphs, and lists with the line that introduces them. Long code is left
 * out.
 */
export function splitPassages(text: string): string[] {
  const passages: string[] = []
  let lead = ''
  for (const block of readBlocks(text)) {
    const isLead = block.length < 300 && (/:\s*\**$/.test(block) || /^#{1,6}\s/.test(block))
    if (isLead) {
      lead = `${lead}${block.replace(/^#{1,6}\s+/, '')} `
      continue
    }
    for (const part of splitLong(block))
      if (part.length >= MIN_PASSAGE_CHARACTERS) passages.push(oneLine(lead + part).replace(LIST_MARKER, ''))
    lead = ''
  }
  if (lead.length >= MIN_PASSAGE_CHARACTERS) passages.push(oneLine(lead))
  return passages.map((passage) => shorten(withoutChatter(passage), MAX_PASSAGE_CHARACTERS)).filter(isLongEnough)
}

/** Words of agreement, and "I see" or "Now I understand the format.", at the beginning of a passage; what follows may be a finding. */
const AGREEMENT =
  /^(?:(?:great|good|perfect|excellent|nice|awesome|wonderful|ok(?:ay)?|all right|clean compile|i see|ah|right|yes|now i (?:understand|have)(?: [a-z ]{1,40})?)(?:[!.,]+| [-–—])(?:\s+|$))+(?:so,? (?=\S))?/i

const withoutChatter = (passage: string): string => {
  const [words = ''] = AGREEMENT.exec(passage.slice(0, 120)) ?? []
  const rest = passage.slice(words.length)
  return words === '' ? passage : rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** Returns the blocks between blank lines and around fences. */
function readBlocks(text: string): string[] {
  const read = headAndTail(text, HEAD_CHARACTERS, TAIL_CHARACTERS)
  const blocks: string[] = []
  let current: string[] = []
  const end = (): void => {
    if (current.length > 0) blocks.push(current.join('\n'))
    current = []
  }
  let code: string[] | undefined
  for (const line of read.split('\n')) {
    if (isFence(line)) {
      if (code !== undefined && code.join('').length <= MAX_CODE_CHARACTERS) current.push(...code)
      code = code === undefined ? [] : undefined
    } else if (code !== undefined) code.push(line)
    else if (line.trim() === '' || /^#{1,6}\s/.test(line)) {
      end()
      if (line.trim() !== '') blocks.push(line.trim())
    } else if (!/^[\s|:-]+$/.test(line)) current.push(line)
    if (/:\s*\**$/.test(line) && code === undefined) end()
  }
  end()
  return blocks
}

/** Splits a long block between its lines. */
function splitLong(block: string): string[] {
  const parts: string[] = []
  for (const line of block.split('\n')) {
    const last = parts.at(-1)
    if (last === undefined || last.length + line.length > MAX_PASSAGE_CHARACTERS) parts.push(line)
    else parts[parts.length - 1] = `${last}\n${line}`
  }
  return parts
}

const TERM = /[\p{L}\p{N}_$]{3,60}/gu
const MAX_TERMS = 80

const termsOf = (text: string): Set<string> => new Set((text.toLowerCase().match(TERM) ?? []).slice(0, MAX_TERMS))

/** A passage needs this share of terms that no better one has. */
const MIN_NEW_SHARE = 0.3

/**
 * Scores passages, oldest first: by cues, by how many of their terms the session comes back to, and by age. A passage
 * that repeats better ones gets no score.
 */
export function scorePassages(passages: readonly string[]): number[] {
  const texts = passages.map((text) => text.slice(0, MAX_PASSAGE_CHARACTERS))
  const terms = texts.map(termsOf)
  const counts = new Map<string, number>()
  for (const set of terms) for (const term of set) counts.set(term, (counts.get(term) ?? 0) + 1)
  const scores = texts.map((text, index) => {
    const recency = (2 * (index + 1)) / texts.length
    return scoreCues(text) + centrality(terms[index] ?? new Set(), { counts, total: texts.length }) + recency
  })
  const covered = new Set<string>()
  const best = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a)
  for (const index of best) {
    const own = [...(terms[index] ?? [])]
    const fresh = own.filter((term) => !covered.has(term))
    if (fresh.length < own.length * MIN_NEW_SHARE) scores[index] = Number.NEGATIVE_INFINITY
    else for (const term of fresh) covered.add(term)
  }
  return scores
}

/** Returns how much a passage is about what the session comes back to. Terms of most passages are common words. */
function centrality(
  terms: ReadonlySet<string>,
  { counts, total }: { counts: ReadonlyMap<string, number>; total: number },
): number {
  let sum = 0
  for (const term of terms) {
    const count = counts.get(term) ?? 0
    if (count >= 2 && count <= Math.max(3, total / 6)) sum += Math.log2(count)
  }
  return Math.min(2, sum / (terms.size + 6))
}
