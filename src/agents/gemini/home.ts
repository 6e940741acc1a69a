import { dirname, join, relative, sep } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { sha256 } from '../../session/hash-id.ts'
import { ANY_FOLDER, type AgentHome, type Machine } from '../home.ts'
import { HEAD_BYTES, readHead, readText, withParents } from '../shared/session-file.ts'
import { filled, listOf, type Fields } from '../shared/values.ts'

export const GEMINI_HOME: AgentHome = {
  id: 'gemini',
  name: 'Gemini CLI',
  root: (machine) => join(folderOfGemini(machine), 'tmp'),
  levels: [ANY_FOLDER, /^chats$/, /^session-.*\.jsonl?$/],
  idOf: (path) => /"sessionId" ?: ?"([\w-]{1,64})"/.exec(readHead(path))?.[1],
  isSession: hasMessages,
  projectOf,
  mcpClient: { name: /^gemini-cli\b/ },
  resume: {
    // Without an id in its first line, a session has the name of its file.
    id: /^(?!session-)[\w-]+$/,
    idIn: ({ sessionId }) => sessionId,
    place: () => join('PROJECT', 'chats', 'session-TIME-ID'),
    command: (id) => `gemini --resume ${id}`,
  },
}

/**
 * Returns the folder that a session belongs to. Gemini CLI has a note of it beside the sessions, and a list of the names of its
 * folders (`projects.json`). Versions before that note have named the folder by the SHA-256 of the project's path: that says
 * which one of the paths in the session, of the list and of the known folders is the project.
 * @param known folders that may be the project
 */
function projectOf(path: string, root: string, known: () => readonly string[]): string | undefined {
  const [name = ''] = relative(root, path).split(sep)
  const note = readText(join(root, name, '.project_root')).trim()
  if (note !== '') return note
  const projects = projectsIn(join(dirname(root), 'projects.json'))
  const named = projects.find(([, id]) => id === name)?.[0]
  if (named !== undefined || !/^[0-9a-f]{64}$/.test(name)) return named
  const isProject = (folder: string): boolean => sha256(folder) === name
  const folders = [...projects.map(([folder]) => folder), ...foldersIn(readHead(path))]
  return folders.find(isProject) ?? known().find(isProject)
}

export function folderOfGemini({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return join(filled(env['GEMINI_CLI_HOME']) ?? home, '.gemini')
}

/** Returns the projects that Gemini CLI lists: their paths, with the names of its folders. */
const projectsIn = (path: string): [folder: string, name: unknown][] =>
  Object.entries(fieldsOf(fieldsOf(parseJson(readText(path)))['projects']))

/** Returns the paths in a text, each with the folders that it is in. A path that is longer than those of Linux is cut. */
const foldersIn = (text: string): string[] => [
  ...new Set((text.match(/\/[^\s"'`\\,:;()<>]{1,4096}/g) ?? []).flatMap(withParents)),
]

/** Returns false for the file that Gemini CLI leaves after a resume, with the id of the session and without messages. */
function hasMessages(path: string): boolean {
  const head = readHead(path)
  if (Buffer.byteLength(head) >= HEAD_BYTES) return true
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map(parseJson)
  // One JSON document on several lines, or a line that is being written, is a session.
  return values.includes(undefined) || values.flatMap((value) => messagesIn(fieldsOf(value))).some(isOfSomebody)
}

/** Returns the messages of a line: one, or those of a list that replaces all before. */
function messagesIn(line: Fields): Fields[] {
  const list = line['messages'] ?? fieldsOf(line['$set'])['messages']
  return list === undefined ? [line] : listOf(list)
}

/** A session begins with a message of Gemini CLI about the folder and the date. */
const isOfSomebody = ({ type, content }: Fields): boolean =>
  type === 'gemini' || (type === 'user' && !JSON.stringify(content ?? '').includes('<session_context>'))
