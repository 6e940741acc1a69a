import { isDocument, splitDocument } from '../../extract/documents.ts'
import { filesOf, type ToolRun } from '../../extract/runs.ts'
import { PATH_ARGUMENTS } from '../../files/paths.ts'
import { firstText } from '../../session/entry.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { matchFocus, type Focus } from './focus.ts'
import type { DocumentFact } from './facts.ts'

const MAX_DOCUMENTS = 8
const MAX_SOURCE_CHARACTERS = 120

/** Records the documents that the agent read, the newest version of each. */
export class DocumentLog {
  readonly #documents = new Map<string, DocumentFact>()
  readonly #focus: Focus | undefined

  /** @param focus what names documents */
  constructor(focus: Focus | undefined) {
    this.#focus = focus
  }

  result(run: ToolRun, output: string): void {
    const source = documentName(run)
    if (source === undefined || !isDocument(output)) return
    const isNamed = matchFocus(source, this.#focus) > 0
    this.#documents.delete(source)
    this.#documents.set(source, { source, isNamed, parts: splitDocument(output) })
    if (this.#documents.size > MAX_DOCUMENTS) this.#documents.delete(this.#leastImportant())
  }

  /** Returns the documents, the newest last. */
  documents(): DocumentFact[] {
    return [...this.#documents.values()]
  }

  /** Returns the oldest document that the focus does not name, or else the oldest one. */
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
