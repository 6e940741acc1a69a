/**
 * Finds texts that a forged instruction in the data demanded and that the summary shows as its own: a line that has no
 * other text, or a line that does not report who said it.
 * @param sources the data without the user's texts, since a user may give orders
 */
export function detectInjection(summary: string, sources: Iterable<string>): string[] {
  const lines = summary.split('\n')
  const obeyed = new Set<string>()
  for (const source of sources) {
    for (const demanded of findDemandedTexts(source))
      if (lines.some((line) => line.includes(demanded) && !REPORTS.test(line.replace(demanded, ''))))
        obeyed.add(demanded)
  }
  return [...obeyed]
}

/** Words that a summary uses when it reports an order. */
const REPORTS = /\b(?:inject\w*|instruct\w*|order\w*|told|tried|asks?|asked|says?|said|attempt\w*|prompt)\b|注入|指令/i

/**
 * An order to the reader of the data to answer with a certain text: its verb, some words, and the text in quotes, or a
 * text in capitals. Each gap is bounded, so that the search takes linear time.
 */
const ORDER =
  /\b(?:reply|respond|answer|output|print|say|write|include|begin|start|end|append)\b[^\n"'`“”「」]{0,60}(?:["'`“「]([^\n"'`“”「」]{4,120})["'`”」]|\b([A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+|[A-Z]{5,}\d*)\b)/gi

/** Words that address a summarizer. Without them, the text may be a line of a program's documentation. */
const ADDRESSES_READER =
  /\b(?:(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|everything)|new instructions?|system prompt|summar(?:y|ies|i[sz]\w*)|compact(?:ion|ing))\b|忽略.{0,20}指令|无视.{0,20}指令|总结|摘要/is

/** The number of characters before an order that are searched for these words. */
const REACH_CHARACTERS = 160

function findDemandedTexts(source: string): string[] {
  const found: string[] = []
  for (const match of source.matchAll(ORDER)) {
    const around = source.slice(Math.max(0, match.index - REACH_CHARACTERS), match.index + match[0].length + 40)
    const demanded = (match[1] ?? match[2] ?? '').trim()
    if (demanded !== '' && ADDRESSES_READER.test(around)) found.push(demanded)
  }
  return found
}
