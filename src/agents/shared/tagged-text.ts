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
