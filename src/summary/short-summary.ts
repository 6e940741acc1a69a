import { headingName } from '../text/sections.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { HEADINGS, saysNothing } from '../text/summary-headings.ts'
import type { Summary } from './summary.ts'

/**
 * Derives the short summary from a summary, without a model: from the newest finished work, else from the work in
 * progress, else from the goal. For a text without headings, it is the first sentences.
 * @returns one to three sentences on one line; blank only for a blank summary
 */
export function deriveShortSummary(summary: Summary): string {
  const linesByName = readLines(summary)
  const hasHeadings = [...linesByName.keys()].some((name) => name !== '')
  if (!hasHeadings)
    return joinSentences(linesByName.get('') ?? []) || shorten(oneLine(summary.text), MAX_SHORT_SUMMARY_CHARACTERS)
  const news = NEWS.map((name) => linesByName.get(name)).find((lines) => lines !== undefined)
  const lines = news ?? [...linesByName.values()].flat()
  // A summary of empty sections still gives a text for a list view.
  return joinSentences(lines.slice(-NEWEST_LINES)) || shorten(oneLine(summary.text), MAX_SHORT_SUMMARY_CHARACTERS)
}

/** The sections whose lines describe the changes best, the best first. */
const NEWS = [HEADINGS.done, HEADINGS.earlyProgress, HEADINGS.inProgress, HEADINGS.goal, HEADINGS.originalRequest].map(
  headingName,
)

/** New work is added at the end of a list, so the last lines are the newest. */
const NEWEST_LINES = 2

/**
 * Returns the lines with content below each heading, by the heading's name; the name is empty for lines above all
 * headings.
 */
function readLines({ sections }: Summary): Map<string, string[]> {
  const linesByName = new Map<string, string[]>()
  let name = ''
  for (const { heading, lines } of sections) {
    name = heading?.name ?? name
    for (const line of lines.map(plainLine).filter((text) => text !== '')) {
      const found = linesByName.get(name)
      if (found === undefined) linesByName.set(name, [line])
      else found.push(line)
    }
  }
  return linesByName
}

/** Returns a line without list marks, checkboxes and emphasis; empty where it has no content. */
function plainLine(raw: string): string {
  const line = raw
    .replace(/^\s*(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/\*\*|__|`{3,}/g, '')
    .trim()
  return saysNothing(line) || /^(?:-{3,}|<\/?[\w-]+>)$/.test(line) ? '' : line
}

/** A list view shows a line or two: a longer sentence is cut at a word. */
const MAX_SHORT_SUMMARY_CHARACTERS = 300

const MAX_SENTENCES = 3

function joinSentences(lines: readonly string[]): string {
  let text = ''
  for (const sentence of lines.flatMap(splitSentences).slice(0, MAX_SENTENCES)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (longer.length > MAX_SHORT_SUMMARY_CHARACTERS)
      return text === '' ? shorten(sentence, MAX_SHORT_SUMMARY_CHARACTERS) : text
    text = longer
  }
  return text
}

const splitSentences = (line: string): string[] =>
  (line.match(/[^.!?。！？]+(?:[.!?]+(?!\s|$)[^.!?。！？]+)*[.!?。！？]*/gu) ?? [line])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?。！？…:]$/u.test(sentence) ? sentence : `${sentence}.`))
