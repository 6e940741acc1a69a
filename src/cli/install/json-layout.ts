/** How the lines of a JSON text are written, so that new ones look like the others. */

/** A part of an object or, without a key, of a list. */
export interface NewPart {
  key?: string
  value: unknown
}

/** Returns the indentation of the line of an index. */
export function lineIndent(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index - 1) + 1
  return /^\uFEFF?([ \t]*)/.exec(text.slice(start, index))?.[1] ?? ''
}

export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')

/** Returns the indentation of one level: that of the first line that is indented. */
export const unitOf = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? '  '

/** @param indent that of the line of the part; undefined to write all in one line */
export function writePart(text: string, { key, value }: NewPart, indent: string | undefined): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  return name + writeValue(text, value, indent)
}

export function writeValue(text: string, value: unknown, indent: string | undefined): string {
  const json = JSON.stringify(value, undefined, indent === undefined ? undefined : unitOf(text))
  return json.replaceAll('\n', lineEndOf(text) + (indent ?? ''))
}
