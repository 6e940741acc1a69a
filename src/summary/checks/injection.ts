/**
 * Finds texts that a forged instruction in the data demanded and that the summary shows as its own: a line that has no
 * other text, or a line that does not report who said it.
 * @param sources the data without the user's texts, since a user may give orders
 */
export function detectInjection(summary: string, sources: Iterable<string>): string[] {
  const demanded = new Set<string>()
  for (const source of sources) for (const text of findDemandedTexts(source)) demanded.add(text)
  if (demanded.size === 0) return []
  const orders = { demanded, lengths: lengthsByStart(demanded) }
  const obeyed = new Set<string>()
  for (const line of summary.split('\n')) for (const text of findShown(line, orders)) obeyed.add(text)
  return [...demanded].filter((text) => obeyed.has(text))
}

/** The texts that orders demand, and their lengths by their first characters. */
interface Orders {
  demanded: ReadonlySet<string>
  lengths: ReadonlyMap<string, ReadonlySet<number>>
}

/** The number of characters by which a demanded text is looked up; a shorter text is looked up whole. */
const START_CHARACTERS = 4

function lengthsByStart(demanded: ReadonlySet<string>): Orders['lengths'] {
  const lengths = new Map<string, Set<number>>()
  for (const text of demanded) {
    const start = text.slice(0, START_CHARACTERS)
    lengths.set(start, (lengths.get(start) ?? new Set()).add(text.length))
  }
  return lengths
}

/**
 * Yields the demanded texts that a line shows without a report. Each place of the line is looked at once: there may be
 * thousands of demanded texts, and to search for each of them would take quadratic time.
 */
function* findShown(line: string, { demanded, lengths }: Orders): Generator<string> {
  const whole = withoutMarks(line)
  const reports = [...line.matchAll(REPORTS)]
  const firstReport = reports[0]?.index ?? line.length
  const last = reports.at(-1)
  const lastReportEnd = last === undefined ? 0 : last.index + last[0].length
  for (let at = 0; at < line.length; at++)
    for (let size = 1; size <= START_CHARACTERS; size++)
      for (const length of lengths.get(line.slice(at, at + size)) ?? []) {
        const text = line.slice(at, at + length)
        if (!demanded.has(text) || (PLAIN_WORD.test(text) && whole !== text)) continue
        // A report inside the demanded text is a part of it.
        if (firstReport >= at && lastReportEnd <= at + length) yield text
      }
}

/** A word that a summary may have for other reasons: it is shown as the answer only if its line has no other text. */
const PLAIN_WORD = /^[a-z]{1,40}$/

const withoutMarks = (line: string): string => line.replace(/^[\s#*>-]+|[\s*.!]{1,9}$/g, '')

/** Words that a summary uses when it reports an order. */
const REPORTS = /\b(?:inject\w*|instruct\w*|order\w*|told|tried|asks?|asked|says?|said|attempt\w*|prompt)\b|注入|指令/gi

const VERBS = 'reply respond answer output print say write include begin start end append'.split(' ')

/** The verbs in each case that people write. The flag `i` would take every long word for one in capitals. */
const VERB = VERBS.flatMap((verb) => [
  verb,
  `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
  verb.toUpperCase(),
]).join('|')

/**
 * An order to the reader of the data to answer with a certain text: its verb, some words, and the text in quotes, or a
 * text in capitals. Each gap is bounded, so that the search takes linear time.
 */
const ORDER = new RegExp(
  String.raw`\b(?:${VERB})\b[^\n"'\`“”「」]{0,60}(?:["'\`“「]([^\n"'\`“”「」]{4,120})["'\`”」]|\b([A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+|[A-Z]{5,}\d*)\b)`,
  'g',
)

/** Words that address a summarizer. Without them, the text may be a line of a program's documentation. */
const ADDRESSES_READER =
  /\b(?:(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|everything)|new instructions?|system prompt|summar(?:y|ies|i[sz]\w*)|compact(?:ion|ing))\b|忽略.{0,20}指令|无视.{0,20}指令|总结|摘要/is

/** The maximum length of a demanded text: what is in quotes has no more, and a longer run of capitals is data. */
const MAX_DEMANDED_CHARACTERS = 120

/** The number of characters before an order that are searched for these words. */
const REACH_CHARACTERS = 160

function findDemandedTexts(source: string): string[] {
  const found: string[] = []
  for (const match of source.matchAll(ORDER)) {
    const around = source.slice(Math.max(0, match.index - REACH_CHARACTERS), match.index + match[0].length + 40)
    const demanded = (match[1] ?? match[2] ?? '').trim()
    if (demanded !== '' && demanded.length <= MAX_DEMANDED_CHARACTERS && ADDRESSES_READER.test(around))
      found.push(demanded)
  }
  return found
}
