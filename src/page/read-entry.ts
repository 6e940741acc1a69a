import { counted } from '../text/numbers.ts'

/** How much of an entry is read: a longer text would make the page slow. */
const MAX_BYTES = 200_000

/** Reads an entry from the opened document, as lines of text. */
export async function readEntryText(blob: Blob, { start, end }: { start: number; end: number }): Promise<string> {
  const isLong = end - start > MAX_BYTES
  const text = await blob.slice(start, isLong ? start + MAX_BYTES : end).text()
  return isLong ? `${text}\n… (the beginning of ${counted(end - start, 'byte')})` : outline(text)
}

/** Returns a JSON text as indented lines, with its strings as they are. A text that is not JSON is returned unchanged. */
export function outline(json: string): string {
  try {
    return write(JSON.parse(json), '').trim()
  } catch {
    return json
  }
}

/** Values with a deeper indentation are shown as JSON. */
const MAX_INDENT = 16

function write(value: unknown, indent: string): string {
  if (typeof value === 'string') return value.includes('\n') ? block(value, indent) : value
  if (typeof value !== 'object' || value === null) return String(value)
  if (indent.length > MAX_INDENT) return JSON.stringify(value)
  const isList = Array.isArray(value)
  return Object.entries(value)
    .map(([key, one]) => `\n${indent}${isList ? '-' : `${key}:`} ${write(one, `${indent}  `)}`)
    .join('')
}

const block = (text: string, indent: string): string => `\n${text.replace(/^/gm, indent)}`
