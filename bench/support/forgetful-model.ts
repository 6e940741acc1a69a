import { openModelServer, type ModelServer, type RecordedRequest } from '../../test/support/model-server.ts'

/** Opens a model server whose answers have every requested section, but almost no content. */
export const openForgetfulModel = (sentence: string): Promise<ModelServer> =>
  openModelServer((request) => writeForgetful(promptOf(request), sentence))

/** Returns the last message of a request for a chat completion. */
export function promptOf({ body }: RecordedRequest): string {
  const messages = body.messages as { content: string }[]
  return messages.at(-1)?.content ?? ''
}

/** Writes the headings that a prompt asks for, with a sentence under the first one only. */
function writeForgetful(prompt: string, sentence: string): string {
  const [first = '## Goal', ...others] = headingsOf(prompt)
  return [`${first}\n${sentence}`, ...others.map((heading) => `${heading}\n(none)`)].join('\n\n')
}

/** Returns the headings of the instructions, which follow the data's last closing tag, each once. */
export function headingsOf(prompt: string): string[] {
  const instructions = prompt.slice(prompt.lastIndexOf('\n</') + 1)
  return [...new Set(Array.from(instructions.matchAll(/^#{2,3} .+$/gm), ([heading]) => heading))]
}
