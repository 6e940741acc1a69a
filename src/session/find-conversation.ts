const OPEN = '<conversation>'
const CLOSE = '</conversation>'

/**
 * Finds the transcript in a prompt that a client has written: what stands between the first opening and the last
 * closing conversation tag, since clients escape the tags inside it (docs/clients.md, "oh-my-pi").
 * @returns offsets of the text between the tags, in UTF-16 units; undefined where there is no such pair
 */
export function findConversation(prompt: string): { start: number; end: number } | undefined {
  const open = prompt.indexOf(OPEN)
  const end = prompt.lastIndexOf(CLOSE)
  const start = open + OPEN.length
  return open < 0 || end < start ? undefined : { start, end }
}
