import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join, relative, sep } from 'node:path'
import { HEAD_BYTES, readHead } from './session-project.ts'

/** Returns the id by which `gemini --resume` finds a session. */
export const idOfGemini = (path: string): string | undefined =>
  /"sessionId" ?: ?"([\w-]{1,64})"/.exec(readHead(path))?.[1]

/**
 * Returns the folder that a session belongs to. Gemini CLI has a note of it beside the sessions, and a list of the names of its
 * folders (`projects.json`). Versions before that note have named the folder by the SHA-256 of the project's path: that says
 * which one of the paths in the session, of the list and of the known folders is the project.
 * @param known folders that may be the project
 */
export function projectOfGemini(path: string, root: string, known: () => readonly string[]): string | undefined {
  const [name = ''] = relative(root, path).split(sep)
  const note = readText(join(root, name, '.project_root')).trim()
  if (note !== '') return note
  const projects = projectsIn(join(dirname(root), 'projects.json'))
  const named = projects.find(([, id]) => id === name)?.[0]
  if (named !== undefined || !/^[0-9a-f]{64}$/.test(name)) return named
  const isProject = (folder: string): boolean => createHash('sha256').update(folder).digest('hex') === name
  const folders = [...projects.map(([folder]) => folder), ...foldersIn(readHead(path))]
  return folders.find(isProject) ?? known().find(isProject)
}

/** Returns the projects that Gemini CLI lists: their paths, with the names of its folders. */
function projectsIn(path: string): [folder: string, name: unknown][] {
  try {
    const { projects } = JSON.parse(readText(path)) as { projects?: unknown }
    return Object.entries(projects ?? {})
  } catch {
    return []
  }
}

/** Returns the paths in a text, each with the folders that it is in. A path that is longer than those of Linux is cut. */
const foldersIn = (text: string): string[] => [
  ...new Set((text.match(/\/[^\s"'`\\,:;()<>]{1,4096}/g) ?? []).flatMap(withParents)),
]

/** Returns a path, and the folders that it is in, the innermost first. */
export function withParents(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...withParents(parent)]
}

/** Returns the text of a file; an empty one if it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
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
