import { openModelServer, type ModelServer, type RecordedRequest } from '../../test/support/model-server.ts'

/** Opens a model server whose answers have every section that is asked for, and next to nothing in them. */
export const openForgetfulModel = (sentence: string): Promise<ModelServer> =>
  openModelServer((request) => writeForgetful(promptOf(request), sentence))

/** The last message of a chat completion's request. */
export function promptOf({ body }: RecordedRequest): string {
  const messages = body.messages as { content: string }[]
  return messages.at(-1)?.content ?? ''
}

/** Writes the headings of a prompt's instructions: a sentence under the first one, nothing under the others. */
function writeForgetful(prompt: string, sentence: string): string {
  const [first = '## Goal', ...others] = headingsOf(prompt)
  return [`${first}\n${sentence}`, ...others.map((heading) => `${heading}\n(none)`)].join('\n\n')
}

/** Instructions stand after the data's last closing tag; a heading is asked for once. */
export function headingsOf(prompt: string): string[] {
  const instructions = prompt.slice(prompt.lastIndexOf('\n</') + 1)
  return [...new Set(Array.from(instructions.matchAll(/^#{2,3} .+$/gm), ([heading]) => heading))]
}
