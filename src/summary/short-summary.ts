import { headingName, parseSections } from '../text/sections.ts'
import { oneLine } from '../text/shorten.ts'
import { HEADINGS, saysNothing } from '../text/summary-headings.ts'

/**
 * Derives the short summary from a summary, without a model: the newest finished work, else what is in progress, else the
 * goal; a text without headings gives its first sentences.
 * @returns one to three sentences on one line; never blank for a summary that is not
 */
export function deriveShortSummary(summary: string): string {
  const linesByName = readLines(summary)
  const hasHeadings = [...linesByName.keys()].some((name) => name !== '')
  if (!hasHeadings) return joinSentences(linesByName.get('') ?? []) || cutAtWord(oneLine(summary))
  const news = NEWS.map((name) => linesByName.get(name)).find((lines) => lines !== undefined)
  const lines = news ?? [...linesByName.values()].flat()
  // A summary of empty sections still says something for a list view.
  return joinSentences(lines.slice(-NEWEST_LINES)) || cutAtWord(oneLine(summary))
}

/** The sections whose lines say best what changed, the best first. */
const NEWS = [HEADINGS.done, HEADINGS.earlyProgress, HEADINGS.inProgress, HEADINGS.goal, HEADINGS.originalRequest].map(
  headingName,
)

/** Lists of finished work grow downwards, so their last lines are the news. */
const NEWEST_LINES = 2

/** Returns the lines that say something below each heading, by the heading's name; an empty name for those above all headings. */
function readLines(summary: string): Map<string, string[]> {
  const linesByName = new Map<string, string[]>()
  for (const { heading, lines } of parseSections(summary)) {
    const name = heading?.name ?? ''
    for (const line of lines.map(plainLine).filter((text) => text !== '')) {
      const found = linesByName.get(name)
      if (found === undefined) linesByName.set(name, [line])
      else found.push(line)
    }
  }
  return linesByName
}

/** A line without list marks, checkboxes and emphasis; empty where it says nothing. */
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
    if (longer.length > MAX_SHORT_SUMMARY_CHARACTERS) return text === '' ? cutAtWord(sentence) : text
    text = longer
  }
  return text
}

const splitSentences = (line: string): string[] =>
  (line.match(/[^.!?。！？]+(?:[.!?]+(?!\s|$)[^.!?。！？]+)*[.!?。！？]*/gu) ?? [line])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?。！？…:]$/u.test(sentence) ? sentence : `${sentence}.`))

function cutAtWord(sentence: string): string {
  if (sentence.length <= MAX_SHORT_SUMMARY_CHARACTERS) return sentence
  const head = sentence.slice(0, MAX_SHORT_SUMMARY_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')
  const space = head.lastIndexOf(' ')
  return `${space > MAX_SHORT_SUMMARY_CHARACTERS / 2 ? head.slice(0, space) : head}…`
}
