import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { HEAD_BYTES, nameOf, readHead } from './session-project.ts'

/** Returns the id by which `gemini --resume` finds a session; the name of the file if it has none. */
export const idOfGemini = (path: string): string =>
  /"sessionId" ?: ?"([\w-]{1,64})"/.exec(readHead(path))?.[1] ?? nameOf(path)

/** Returns the folder that a session belongs to; the name of its folder at Gemini CLI if that has no note of it. */
export function projectOfGemini(path: string, root: string): string | undefined {
  const [name = ''] = relative(root, path).split(sep)
  try {
    return readFileSync(join(root, name, '.project_root'), 'utf8').trim()
  } catch {
    return name
  }
}

/** Returns false for the file that Gemini CLI leaves after a resume, with the id of the session and without messages. */
export function hasMessages(path: string): boolean {
  const head = readHead(path)
  if (Buffer.byteLength(head) >= HEAD_BYTES) return true
  try {
    return head
      .split('\n')
      .some((line) => line.trim() !== '' && messagesIn(JSON.parse(line) as Line).some(isOfSomebody))
  } catch {
    // One JSON document, or a line that is being written.
    return true
  }
}

interface Message {
  type?: unknown
  content?: unknown
}

interface Line extends Message {
  messages?: Message[]
  $set?: { messages?: Message[] }
}

/** Returns the messages of a line: one, or those of a list that replaces all before. */
function messagesIn(line: Line): Message[] {
  return line.messages ?? line.$set?.messages ?? [line]
}

/** A session begins with a message of Gemini CLI about the folder and the date. */
const isOfSomebody = ({ type, content }: Message): boolean =>
  type === 'gemini' || (type === 'user' && !JSON.stringify(content ?? '').includes('<session_context>'))
