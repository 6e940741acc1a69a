import { firstText } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { PATH_ARGUMENTS, readFileOperations } from './paths.ts'
import { isWriteTool } from './tools.ts'

/** The last lines of an output of SWE-agent (1.0): `(Open file: /repo/a.py)`. */
const STATE = /\(Open file: ([^\n]{1,4096})\)\r?\n\(Current directory: /
const STATE_CHARACTERS = 5000

/** The file that is open in the editor of an agent whose `edit` names no file, such as SWE-agent. */
export class OpenFile {
  #path: string | undefined
  #isUsed = false

  /** Returns the file that a call changes without naming it. */
  call({ name, arguments: values }: ToolCallBlock): string | undefined {
    const path = firstText(values, PATH_ARGUMENTS)
    if (name === 'open' || name === 'create') {
      this.#isUsed ||= name === 'open' && path !== undefined
      this.#path = path ?? this.#path
    }
    const isEdit = this.#path !== undefined && path === undefined && isWriteTool(name, values)
    return isEdit &&
      readFileOperations({ type: 'toolCall', id: '', name, arguments: values }).modifiedFiles.length === 0
      ? this.#path
      : undefined
  }

  /** Notes the file that is open after a call. */
  result(output: () => string): void {
    if (!this.#isUsed) return
    const [, path] = STATE.exec(output().slice(-STATE_CHARACTERS)) ?? []
    if (path !== undefined) this.#path = path === 'n/a' ? undefined : path
  }
}
