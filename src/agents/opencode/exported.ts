import { existsSync } from 'node:fs'
import { fieldsOf } from '../../session/entry.ts'
import { quote } from '../../text/controls.ts'
import type { CompactedFile, Continuation } from '../home.ts'
import { asText } from '../shared/values.ts'

/** The ids of opencode's sessions begin so. */
export const isOpencodeId = (text: string): boolean => /^ses_\w+$/.test(text)

/** Returns the command that continues a session of opencode's database. */
export const opencodeCommand = (id: string): string => `opencode --session ${id}`

/** Returns the id and the folder that an export names. */
export function sessionInExport(body: string): { id: string | undefined; folder: string | undefined } {
  const { id, directory } = fieldsOf(fieldsOf(JSON.parse(body))['info'])
  return {
    id: isOpencodeId(asText(id)) ? asText(id) : undefined,
    folder: typeof directory === 'string' ? directory : undefined,
  }
}

/** opencode reads an export only with its command, which moves the session to the project of the current folder. */
export function continueWithExport({ path, body }: CompactedFile): Continuation | undefined {
  const { id, folder } = sessionInExport(body)
  if (id === undefined) return undefined
  const command = `opencode import ${quote(path)} && ${opencodeCommand(id)}`
  if (folder === undefined || existsSync(folder)) return { command, folder }
  return { sentence: `Continue with this command in the folder of the project (it was ${folder}): ${command}` }
}
