import { removeBlocks } from './find-in-text.ts'

/**
 * Returns a text without the elements of a tag, with or without attributes. A closing tag without an opening one belongs to
 * the element before it: what is quoted there may have a closing tag too. Linear: each character is searched once.
 */
export function stripTag(text: string, tag: string): string {
  if (!text.includes(`</${tag}>`)) return text
  const elements: { start: number; end: number }[] = []
  let start = -1
  for (const { index, 0: mark } of text.matchAll(new RegExp(`</?${tag}(?:\\s[^<>]{0,1000})?>`, 'g'))) {
    const isClosing = mark.startsWith('</')
    const last = elements.at(-1)
    if (!isClosing) start = start < 0 ? index : start
    else if (start >= 0) elements.push({ start, end: index + mark.length })
    else if (last !== undefined) last.end = index + mark.length
    if (isClosing) start = -1
  }
  return removeBlocks(text, elements)
}

/** Returns the text in the first element of a tag; undefined if there is none. */
export function textIn(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`)
  const from = start + tag.length + 2
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, from)
  return end < 0 ? undefined : text.slice(from, end)
}

/**
 * Returns the end of the element with which a text begins, with or without attributes; 0 if it begins with none of these tags.
 * The last closing tag counts: what is quoted in the element may have one too.
 */
export function endOfElement(text: string, tags: readonly string[]): number {
  const name = /^<([\w-]{1,40})(?:\s[^<>]{0,1000})?>/.exec(text)?.[1]
  const close = name !== undefined && tags.includes(name) ? `</${name}>` : undefined
  const at = close === undefined ? -1 : text.lastIndexOf(close)
  return at < 0 ? 0 : at + `${close}`.length
}
