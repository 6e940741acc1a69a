import { PATH_ARGUMENTS } from '../plan/read-file-operations.ts'
import type { RawContentBlock } from '../schemas/content.ts'
import { shortenText } from './shorten-text.ts'

/** Tools whose arguments hold files. A patch is read whole, since it names the files that it changes. */
const WRITING_TOOL = /^(?:write|edit|multiedit|create|str_replace)$/i

const UNCUT = new Set<string>(PATH_ARGUMENTS)

/** Keeps of a tool call what can be shown: of the text of a file its ends. */
export function slimCall(block: RawContentBlock): RawContentBlock {
  const { id, name, arguments: values } = block as Record<string, unknown>
  return { type: block.type, id, name, arguments: WRITING_TOOL.test(String(name)) ? slimValues(values) : values }
}

function slimValues(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' && !UNCUT.has(key) ? shortenText(value) : value,
    ]),
  )
}
