/** A list view shows a line or two: past this a sentence is cut at a word. */
const MAX_CHARACTERS = 300

const MAX_SENTENCES = 3

/** Headings whose lines say best what changed, the best first. */
const TELLING = ['done', 'early progress', 'in progress', 'goal', 'original request']

/** Done lists grow downwards, so their last lines are the news. */
const newest = (lines: string[]): string[] => lines.slice(-2)

const NOTHING = /^\(?(?:none|n\/a|nothing)\)?\.?$/i

const splitSentences = (line: string): string[] =>
  (line.match(/[^.!?。！？]+(?:[.!?]+(?!\s|$)[^.!?。！？]+)*[.!?。！？]*/gu) ?? [line])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?。！？…:]$/u.test(sentence) ? sentence : `${sentence}.`))

/**
 * Derives the short summary from a summary, without a model: the newest things done, else what is under way, else the
 * goal; a text without headings gives its first sentences.
 * @returns one to three sentences on one line; never blank for a summary that is not
 */
export function deriveShortSummary(summary: string): string {
  const sections = readSections(summary)
  const lines = TELLING.map((heading) => sections.get(heading) ?? []).find((found) => found.length > 0)
  const isPlain = ![...sections.keys()].some((heading) => heading !== '')
  const telling = lines ?? (isPlain ? sections.get('') : [...sections.values()].flat()) ?? []
  // A summary of empty sections still says something for a list view.
  return joinSentences(isPlain ? telling : newest(telling)) || cutAtWord(summary.replace(/\s+/g, ' ').trim())
}

/** The lines below each heading, in lower case; what stands before the first heading is under the empty name. */
function readSections(summary: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let heading = ''
  for (const raw of summary.split('\n')) {
    const title = /^#{1,6}\s+(.*)$/.exec(raw.trimEnd())?.[1]
    if (title !== undefined) heading = title.toLowerCase()
    const line = title === undefined ? plainLine(raw) : ''
    const lines = sections.get(heading)
    if (line === '') continue
    if (lines === undefined) sections.set(heading, [line])
    else lines.push(line)
  }
  return sections
}

/** A line without list marks, checkboxes and emphasis; empty where it says nothing. */
function plainLine(raw: string): string {
  const line = raw
    .replace(/^\s*(?:[-*+]|\d+\.)\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/\*\*|__|`{3,}/g, '')
    .trim()
  return NOTHING.test(line) || /^(?:-{3,}|<\/?[\w-]+>)$/.test(line) ? '' : line
}

function joinSentences(lines: readonly string[]): string {
  let text = ''
  for (const sentence of lines.flatMap(splitSentences).slice(0, MAX_SENTENCES)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (longer.length > MAX_CHARACTERS) return text === '' ? cutAtWord(sentence) : text
    text = longer
  }
  return text
}

function cutAtWord(sentence: string): string {
  if (sentence.length <= MAX_CHARACTERS) return sentence
  const head = sentence.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')
  const space = head.lastIndexOf(' ')
  return `${space > MAX_CHARACTERS / 2 ? head.slice(0, space) : head}…`
}
