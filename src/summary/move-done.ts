import { plainWords } from '../extract/same-words.ts'
import type { SessionWork } from '../extract/work-item.ts'
import { headingName, type Section } from '../text/sections.ts'
import { HEADINGS, NO_CONTENT } from '../text/summary-headings.ts'
import { insertInSection, summaryOf, type Summary } from './summary.ts'

/** The sections whose items are open. */
const OPEN = new Set([HEADINGS.nextSteps, HEADINGS.inProgress, HEADINGS.pending].map(headingName))

const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s/

/**
 * Returns a summary in which no step is open that is proven to be done: a list of tasks or a ticked box says so, in the same
 * words. All other lines stay where they are.
 */
export function moveDone(summary: Summary, work: SessionWork | undefined): Summary {
  const done = doneTexts(work)
  if (done.size === 0) return summary
  const moved: string[] = []
  const sections = summary.sections.map((section) =>
    OPEN.has(section.heading?.name ?? '') ? withoutDone(section, done, moved) : section,
  )
  if (moved.length === 0) return summary
  return insertInSection(summaryOf(sections), HEADINGS.done, { lines: moved.map((text) => `- [x] ${text}`) })
}

/** Returns the words of items that are proven to be done, by those words in comparable form, unless another item has them as open. */
function doneTexts(work: SessionWork | undefined): Map<string, string> {
  const items = work?.items ?? []
  const open = new Set(items.filter(({ state }) => state !== 'done').map(({ text }) => plainWords(text)))
  return new Map(
    items
      .filter(({ state }) => state === 'done')
      .map(({ text }): [string, string] => [plainWords(text), text])
      .filter(([words]) => words !== '' && !open.has(words)),
  )
}

/** Returns a section without the items that are done, with their further lines. */
function withoutDone(section: Section, done: ReadonlyMap<string, string>, moved: string[]): Section {
  const lines: string[] = []
  let isMoving = false
  for (const line of section.lines) {
    const isItem = ITEM.test(line)
    const text = isItem ? done.get(plainWords(line)) : undefined
    if (isItem || line.trim() === '') isMoving = text !== undefined
    if (text !== undefined) moved.push(text)
    if (!isMoving) lines.push(line)
  }
  const isEmpty = lines.length < section.lines.length && lines.every((line) => line.trim() === '')
  return { ...section, lines: isEmpty ? [NO_CONTENT, ...lines] : lines }
}
