/** A block between an opening and a closing mark; offsets in UTF-16 units, marks included. */
interface Block {
  start: number
  end: number
  /** The opening mark's match, with its groups. */
  open: RegExpExecArray
  /** The text between the marks. */
  inner: string
}

/**
 * Returns the blocks of a text, each from an opening mark to the next closing mark. An opening mark that is never
 * closed ends the search: a pattern like `<a>[^]*?</a>` would search for the end again from each opening mark, in
 * quadratic time.
 */
export function findBlocks(text: string, open: RegExp, close: string): Block[] {
  const blocks: Block[] = []
  const pattern = new RegExp(open, 'g')
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const innerStart = match.index + match[0].length
    const innerEnd = text.indexOf(close, innerStart)
    if (innerEnd < 0) break
    pattern.lastIndex = innerEnd + close.length
    blocks.push({ start: match.index, end: pattern.lastIndex, open: match, inner: text.slice(innerStart, innerEnd) })
  }
  return blocks
}

/** Returns a text without some of its blocks, which are in order. */
export function removeBlocks(text: string, blocks: readonly Pick<Block, 'start' | 'end'>[]): string {
  const parts = blocks.map(({ start }, index) => text.slice(blocks[index - 1]?.end ?? 0, start))
  return parts.join('') + text.slice(blocks.at(-1)?.end ?? 0)
}
