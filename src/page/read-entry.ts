import { counted } from './numbers.ts'
import { outline } from './outline.ts'

/** More of one entry would make the page slow. */
const MAX_BYTES = 200_000

/** Reads an entry from the opened document, as lines of text. */
export async function readEntry(blob: Blob, { start, end }: { start: number; end: number }): Promise<string> {
  const isLong = end - start > MAX_BYTES
  const text = await blob.slice(start, isLong ? start + MAX_BYTES : end).text()
  return isLong ? `${text}\n… (the beginning of ${counted(end - start, 'byte')})` : outline(text)
}
