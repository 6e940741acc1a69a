/** Returns a text without the elements of a tag: `<tag>...</tag>`. Linear: each character is searched once. */
export function stripTag(text: string, tag: string): string {
  const open = `<${tag}>`
  const close = `</${tag}>`
  const parts: string[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf(open, from)
    const end = start < 0 ? -1 : text.indexOf(close, start)
    if (end < 0) break
    parts.push(text.slice(from, start))
    from = end + close.length
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from)
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
