import { isDocument, splitDocument } from '../../extract/documents.ts'
import { filesOf, type ToolRun } from '../../extract/runs.ts'
import { PATH_ARGUMENTS } from '../../files/paths.ts'
import { fieldsOf, firstText } from '../../session/entry.ts'
import type { ToolCallBlock } from '../../session/message.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { DocumentFact, PlanFact } from './facts.ts'

const MAX_DOCUMENTS = 8
const MAX_SOURCE_CHARACTERS = 120

/** Words that name one thing: an issue, a file, a version. */
const NAME = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)+/gu
const MAX_NAMES = 2000

/** Records the documents that the agent read, the newest version of each, and its newest plan. */
export class DocumentLog {
  readonly #documents = new Map<string, DocumentFact>()
  readonly #named = new Set<string>()
  #plan: PlanFact | undefined
  readonly #tasks = new TaskList()

  /** Records the names in a request: a document that the user named is more important. */
  request(text: string): void {
    for (const [name] of text.slice(0, 4000).matchAll(NAME)) {
      if (this.#named.size >= MAX_NAMES) return
      this.#named.add(name)
    }
  }

  call(call: ToolCallBlock): void {
    const todos = readTodos(call.arguments)
    if (todos !== undefined) this.#plan = { source: call.name, items: todos }
    const tasks = this.#tasks.read(call)
    if (tasks !== undefined) this.#plan = { source: call.name, items: tasks }
  }

  result(run: ToolRun, output: string): void {
    const source = documentName(run)
    if (source === undefined || !isDocument(output)) return
    const isNamed = [...this.#named].some((name) => source.includes(name))
    this.#documents.delete(source)
    this.#documents.set(source, { source, isNamed, parts: splitDocument(output) })
    if (this.#documents.size > MAX_DOCUMENTS) this.#documents.delete(this.#leastImportant())
  }

  /** Returns the documents, the newest last. */
  documents(): DocumentFact[] {
    return [...this.#documents.values()]
  }

  plan(): PlanFact | undefined {
    return this.#plan
  }

  /** Returns the oldest document that the user did not name, or else the oldest one. */
  #leastImportant(): string {
    const [oldest] = this.documents().sort((a, b) => Number(a.isNamed) - Number(b.isNamed))
    return oldest?.source ?? ''
  }
}

/** Files of prose; other files have code. */
const PROSE_FILE = /\.(?:mdx?|txt|rst|adoc|markdown)$|(?:^|\/)[A-Z]+$/i

/** Returns the command, the path or the subject of a call whose output may be a document. */
function documentName(run: ToolRun): string | undefined {
  const { call, command } = run
  if (command !== undefined) return shorten(oneLine(command), MAX_SOURCE_CHARACTERS)
  const { readFiles, modifiedFiles } = filesOf(run)
  const [path] = readFiles
  if (path !== undefined) return PROSE_FILE.test(path) ? path : undefined
  if (call === undefined || modifiedFiles.length > 0) return undefined
  const about = firstText(call.arguments, [...PATH_ARGUMENTS, 'description', 'title', 'url', 'query', 'id'])
  return shorten(oneLine(`${call.name}${about === undefined ? '' : ` (${about})`}`), MAX_SOURCE_CHARACTERS)
}

type PlanItem = PlanFact['items'][number]

const MAX_ITEMS = 60
const ITEM_TEXTS = ['content', 'step', 'title', 'subject', 'text', 'description', 'task'] as const

/** Reads the list of a call that records a plan: items with a text and a status. */
function readTodos(values: unknown): PlanItem[] | undefined {
  for (const list of Object.values(fieldsOf(values)).slice(0, 20)) {
    if (!Array.isArray(list) || list.length === 0) continue
    const items = list.slice(0, MAX_ITEMS).map(readItem)
    const known = items.filter((item) => item !== undefined)
    if (known.length === items.length) return known
  }
  return undefined
}

function readItem(value: unknown): PlanItem | undefined {
  const { status } = fieldsOf(value)
  const text = firstText(value, ITEM_TEXTS)
  if (text === undefined || typeof status !== 'string') return undefined
  return { text: shorten(oneLine(text), 240), status }
}

/** The tasks of agents that create and update each task by a call of its own. */
class TaskList {
  readonly #items: PlanItem[] = []

  /** @returns the list after the call; undefined for calls of other tools */
  read({ name, arguments: values }: ToolCallBlock): PlanItem[] | undefined {
    const { subject, taskId, status } = fieldsOf(values)
    if (name === 'TaskCreate' && typeof subject === 'string') {
      if (this.#items.length < MAX_ITEMS) this.#items.push({ text: shorten(oneLine(subject), 240), status: 'pending' })
    } else if (name === 'TaskUpdate' && typeof status === 'string') {
      const item = this.#items[Number(taskId) - 1]
      if (item !== undefined) item.status = status
    } else return undefined
    return this.#items.length === 0 ? undefined : [...this.#items]
  }
}
