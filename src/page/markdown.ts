/** A block of a summary. Inline marks are read by `readInline`. */
export type MarkdownBlock =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'quote' | 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly MarkdownBlock[])[] }
  | { kind: 'files'; name: string; paths: readonly string[] }
  | { kind: 'rule' }

const HEADING = /^(#{1,6}) +(?! )(.*)$/
const ITEM = /^( {0,8})(?:[-*+]|(\d{1,4})[.)]) +(?! )(.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const FENCE = /^ *(`{3,8})[^`]*$/
const CLOSER = /^ *`{3,8} *$/
const FILES = /^<(read-files|modified-files)>$/
const RULE = /^ {0,3}(?:---+|\*\*\*+)$/

/** Items of so many lists in each other are read; deeper ones are text. */
const MAX_DEPTH = 6

/** Returns the blocks of a summary: the Markdown that summaries have, and their file tags. Other text is a paragraph. */
export const readMarkdown = (summary: string): MarkdownBlock[] => readLines(summary.split('\n'), 0)

interface Part {
  lines: readonly string[]
  /** In how many items the lines are. */
  depth: number
  /** The index of the last line that can close a block of code, by its text. */
  closers: ReadonlyMap<string, number>
}

function readLines(lines: readonly string[], depth: number): MarkdownBlock[] {
  const closers = new Map(
    lines.flatMap((line, at): [string, number][] => (CLOSER.test(line) ? [[line.trim(), at]] : [])),
  )
  const blocks: MarkdownBlock[] = []
  for (let at = 0; at < lines.length;) {
    const { block, next } = readBlock({ lines, depth, closers }, at)
    if (block !== undefined) blocks.push(block)
    at = next
  }
  return blocks
}

interface Found {
  block?: MarkdownBlock
  next: number
}

function readBlock(part: Part, at: number): Found {
  const { lines, depth } = part
  const line = lines[at] ?? ''
  const heading = HEADING.exec(line)
  if (line.trim() === '') return { next: at + 1 }
  if (heading !== null)
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, next: at + 1 }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  const tag = FILES.exec(line.trim())?.[1]
  if (tag !== undefined) {
    const end = endOf(lines, at + 1, (one) => one.trim() !== `</${tag}>`)
    return { block: { kind: 'files', name: tag, paths: lines.slice(at + 1, end) }, next: end + 1 }
  }
  if (FENCE.test(line)) {
    const end = closeOfFence(part, at) ?? lines.length
    return { block: { kind: 'code', text: dedent(lines.slice(at + 1, end), indentOf(line)).join('\n') }, next: end + 1 }
  }
  if (QUOTE.test(line)) return readQuote(lines, at)
  return ITEM.test(line) && depth < MAX_DEPTH ? readList(part, at) : readParagraph(lines, at)
}

const indentOf = (line: string): number => line.search(/\S|$/)

/** Returns lines without an indentation, as far as they have it. */
const dedent = (lines: readonly string[], indent: number): string[] =>
  lines.map((line) => line.slice(Math.min(indent, indentOf(line))))

/** Returns the index of the line that closes a block of code; undefined if none does. */
function closeOfFence({ lines, closers }: Part, at: number): number | undefined {
  const fence = FENCE.exec(lines[at] ?? '')?.[1] ?? ''
  return (closers.get(fence) ?? 0) > at ? endOf(lines, at + 1, (line) => line.trim() !== fence) : undefined
}

function readQuote(lines: readonly string[], at: number): Found {
  const end = endOf(lines, at, (line) => QUOTE.test(line))
  const text = lines
    .slice(at, end)
    .map((line) => QUOTE.exec(line)?.[1] ?? '')
    .join('\n')
  return { block: { kind: 'quote', text }, next: end }
}

function readList(part: Part, at: number): Found {
  const { lines, depth } = part
  const [, indent = '', number] = ITEM.exec(lines[at] ?? '') ?? []
  const items: MarkdownBlock[][] = []
  let [next, end] = [at, at]
  for (;;) {
    const [, one, , text = ''] = ITEM.exec(lines[next] ?? '') ?? []
    if (one === undefined || one.length > indent.length) break
    end = endOfItem(part, next + 1, one.length)
    const inner = lines.slice(next + 1, end)
    const first = inner.find((line) => line.trim() !== '') ?? ''
    items.push(readLines([text, ...dedent(inner, indentOf(first))], depth + 1))
    next = endOf(lines, end, (line) => line.trim() === '')
  }
  return { block: { kind: 'list', isOrdered: number !== undefined, items }, next: end }
}

/** Returns the index of the first line after an item: its lines are further to the right, or in a block of code that begins there. */
function endOfItem(part: Part, from: number, indent: number): number {
  let end = from
  for (let at = from; at < part.lines.length; at++) {
    const line = part.lines[at] ?? ''
    if (line.trim() === '') continue
    if (indentOf(line) <= indent) break
    if (FENCE.test(line)) at = closeOfFence(part, at) ?? at
    end = at + 1
  }
  return end
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
    parts.push(
      // The name of a file is often both.
      code === undefined ? { kind: 'strong', text: strong?.replaceAll('`', '') ?? '' } : { kind: 'code', text: code },
    )
    end = match.index + whole.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
