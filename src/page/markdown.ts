/** A block of a summary. Inline marks are read by `readInline`. */
export type MarkdownBlock =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'quote'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: readonly string[] }
  | { kind: 'files'; name: string; paths: readonly string[] }
  | { kind: 'rule' }

const HEADING = /^(#{1,6}) +(?! )(.*)$/
const ITEM = /^ {0,8}(?:[-*+]|(\d{1,4})[.)]) +(?! )(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const FENCE = /^ {0,8}```/
const FILES = /^<(read-files|modified-files)>$/
const RULE = /^ {0,3}(?:---+|\*\*\*+)$/

/** Returns the blocks of a summary: the Markdown that summaries have, and their file tags. Other text is a paragraph. */
export function readMarkdown(summary: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const lines = summary.split('\n')
  for (let at = 0; at < lines.length;) {
    const { block, next } = readBlock(lines, at)
    if (block !== undefined) blocks.push(block)
    at = next
  }
  return blocks
}

interface Found {
  block?: MarkdownBlock
  next: number
}

function readBlock(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? ''
  const heading = HEADING.exec(line)
  if (line.trim() === '') return { next: at + 1 }
  if (heading !== null)
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, next: at + 1 }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  const tag = FILES.exec(line.trim())?.[1]
  if (tag !== undefined)
    return readUntil(lines, at, {
      isEnd: (one) => one.trim() === `</${tag}>`,
      build: (paths) => ({ kind: 'files', name: tag, paths }),
    })
  if (FENCE.test(line))
    return readUntil(lines, at, {
      isEnd: (one) => FENCE.test(one),
      build: (inner) => ({ kind: 'code', text: inner.join('\n') }),
    })
  if (QUOTE.test(line)) return readQuote(lines, at)
  return ITEM.test(line) ? readList(lines, at) : readParagraph(lines, at)
}

/** Reads the lines up to a closing one, or to the end. */
function readUntil(
  lines: readonly string[],
  at: number,
  { isEnd, build }: { isEnd: (line: string) => boolean; build: (inner: string[]) => MarkdownBlock },
): Found {
  const end = endOf(lines, at + 1, (line) => !isEnd(line))
  return { block: build(lines.slice(at + 1, end)), next: end + 1 }
}

function readQuote(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at, (line) => QUOTE.test(line))
  const text = lines
    .slice(at, end)
    .map((line) => QUOTE.exec(line)?.[1] ?? '')
    .join('\n')
  return { block: { kind: 'quote', text }, next: end }
}

function readList(lines: readonly string[], at: number): Found {
  const isOrdered = ITEM.exec(lines[at] ?? '')?.[1] !== undefined
  const items: string[] = []
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const item = ITEM.exec(line)
    if (item !== null) items.push(item[2] ?? '')
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop() ?? ''}\n${line.trim()}`)
    else break
  }
  return { block: { kind: 'list', isOrdered, items }, next }
}

function readParagraph(lines: readonly string[], at: number): Found {
  const isPlain = (line: string): boolean =>
    line.trim() !== '' && ![HEADING, ITEM, QUOTE, FENCE, RULE].some((one) => one.test(line))
  const end = Math.max(at + 1, endOf(lines, at, isPlain))
  return { block: { kind: 'paragraph', text: lines.slice(at, end).join('\n') }, next: end }
}

/** Returns the index of the first line from a place on that does not belong to a block. */
function endOf(lines: readonly string[], from: number, isIn: (line: string) => boolean): number {
  let end = from
  while (end < lines.length && isIn(lines[end] ?? '')) end += 1
  return end
}

/** A part of a line. */
interface Inline {
  kind: 'text' | 'code' | 'strong'
  text: string
}

const MARKS = /`([^`\n]{1,2000})`|\*\*([^*\n]{1,2000})\*\*/g

/** Returns the parts of a line: plain text, code and strong text. */
export function readInline(text: string): Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(MARKS)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    const [whole, code, strong] = match
    parts.push(code === undefined ? { kind: 'strong', text: strong ?? '' } : { kind: 'code', text: code })
    end = match.index + whole.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
