import type { FormatId } from '../schemas/format.ts'
import { atifNative } from './atif/append.ts'
import { clineLegacyNative, clineNative } from './cline/append.ts'
import { geminiNative } from './gemini/append.ts'
import { HISTORIES } from './apis/histories.ts'
import { opencodeNative } from './opencode/append.ts'
import { openhandsV0Native, openhandsV1Native } from './openhands/append.ts'
import { piNative } from './pi/append.ts'
import { qwenNative } from './qwen/append.ts'
import { claudeCodeNative } from './claude-code/append.ts'
import { codexNative } from './codex/append.ts'
import { neutralizeTags } from './control-tags.ts'
import type { Compacted, Native, PostedSession } from './native-format.ts'

export type { Native, PostedSession }

/** A format with material of any type. It receives only material that it has prepared itself. */
interface AnyNativeFormat {
  prepare: (session: PostedSession) => object | undefined
  write: (material: never, compacted: Compacted) => Native
}

const FORMATS: { readonly [id in FormatId]?: AnyNativeFormat } = {
  pi: piNative,
  'claude-code': claudeCodeNative,
  codex: codexNative,
  opencode: opencodeNative,
  gemini: geminiNative,
  qwen: qwenNative,
  cline: clineNative,
  'cline-legacy': clineLegacyNative,
  'openhands-v0': openhandsV0Native,
  'openhands-v1': openhandsV1Native,
  atif: atifNative,
  ...HISTORIES,
}

/** Returns whether sessions of a format are lists of messages: their native form is the whole list. */
export const hasHistory = (format: FormatId): boolean => Object.hasOwn(HISTORIES, format)

/** The material of a native form: plain data, with the format that it belongs to. */
export interface NativeMaterial {
  format: FormatId
  data: object
}

/** Prepares the native form of a session; undefined if its format has none. */
export function prepareNative(format: FormatId, session: PostedSession): NativeMaterial | undefined {
  const data = FORMATS[format]?.prepare(session)
  return data === undefined ? undefined : { format, data }
}

/** Writes a compaction in the form of an agent's own storage. The summary has no control tags of the agent. */
export function writeNative({ format, data }: NativeMaterial, compacted: Compacted): Native {
  const found = FORMATS[format]
  if (found === undefined) throw new Error('The material of a native form has a format that writes none.')
  // The same format has prepared the material, so it has the right type.
  return found.write(data as never, { ...compacted, summary: neutralizeTags(compacted.summary, format) })
}
