import { isDeepStrictEqual } from 'node:util'
import {
  FILE_MARK,
  type ElementSetting,
  type KeySetting,
  type MemberSetting,
  type AgentSetting,
} from '../../agents/install-target.ts'
import {
  appendInJson,
  isSameJson,
  knownDepth,
  removeElements,
  removeFromJson,
  setInJson,
  valueAt,
  valueOfJson,
} from './edit-json.ts'
import { hasTable, removeTable, setTable } from './edit-toml.ts'
import { removeFromYaml, setInYaml, valueInYaml } from './edit-yaml.ts'

/** What a file was like before a setting was written, for those who remove it. */
export interface Trace {
  /** How many keys of its path were there. */
  depth: number
  /** The value that it replaced; absent if there was none. */
  previous?: unknown
}

/** Returns whether a text has a setting exactly as it is installed now. */
export function hasSetting(text: string | undefined, setting: AgentSetting): boolean {
  if (text === undefined) return false
  switch (setting.kind) {
    case 'member':
      return isSameJson(valueAt(valueOfJson(text), setting.path), setting.value)
    case 'element':
      return oursIn(text, setting).length === 1 && isSameJson(oursIn(text, setting)[0], setting.value)
    case 'table':
      return hasTable(text, setting.name, setting.value)
    case 'key':
      return valueInYaml(text, setting.path) === setting.value
    case 'file':
      return text === setting.text
  }
}

/** Returns whether a text has a setting of ours, also an older or a changed one. */
export const hasOurs = (text: string | undefined, setting: AgentSetting): boolean =>
  text !== undefined && removeSetting(text, setting) !== text

function oursIn(text: string, { path, isOurs }: ElementSetting): unknown[] {
  const list = valueAt(valueOfJson(text), path)
  return Array.isArray(list) ? list.filter(isOurs) : []
}

/** Returns the text with a setting. */
export function addSetting(text: string, setting: AgentSetting): string {
  if (hasSetting(text, setting)) return text
  switch (setting.kind) {
    case 'member':
      return setInJson(text, setting.path, setting.value)
    case 'element':
      return appendInJson(removeElements(text, setting.path, setting.isOurs), setting.path, setting.value)
    case 'table':
      return setTable(text, setting.name, setting.value)
    case 'key':
      return setInYaml(text, setting.path, setting.value)
    case 'file':
      return setting.text
  }
}

/** Returns what a text is like before a setting is written. */
export function traceOf(text: string, setting: AgentSetting): Trace {
  if (setting.kind !== 'member' && setting.kind !== 'element' && setting.kind !== 'key') return { depth: 0 }
  if (setting.kind === 'key') return withPrevious(0, valueInYaml(text, setting.path))
  const depth = knownDepth(text, setting.path)
  return setting.kind === 'member' ? withPrevious(depth, valueAt(valueOfJson(text), setting.path)) : { depth }
}

const withPrevious = (depth: number, previous: unknown): Trace =>
  previous === undefined ? { depth } : { depth, previous }

/**
 * Returns the text without a setting; undefined for a file that is all ours.
 * @param trace what was there before; without it, only what is certainly ours is removed
 */
export function removeSetting(text: string, setting: AgentSetting, trace?: Trace): string | undefined {
  switch (setting.kind) {
    case 'member':
    case 'key':
      return removeValue(text, setting, trace)
    case 'element':
      return removeEmptied(removeElements(text, setting.path, setting.isOurs), setting.path, trace)
    case 'table':
      return removeTable(text, setting.name)
    case 'file':
      return text.slice(0, 200).includes(FILE_MARK) ? undefined : text
  }
}

function removeValue(text: string, setting: MemberSetting | KeySetting, trace: Trace | undefined): string {
  const { previous } = trace ?? {}
  if (setting.kind === 'member') {
    if (previous !== undefined) return setInJson(text, setting.path, previous)
    return removeEmptied(removeFromJson(text, setting.path), setting.path.slice(0, -1), trace)
  }
  // A key of the agent's own belongs to its user as soon as it has another value.
  if (!isDeepStrictEqual(valueInYaml(text, setting.path), setting.value)) return text
  if (typeof previous === 'string' || typeof previous === 'boolean') return setInYaml(text, setting.path, previous)
  return removeFromYaml(text, setting.path)
}

/** Removes objects and lists that an installation has created, and that are empty now. */
function removeEmptied(text: string, path: readonly string[], trace: Trace | undefined): string {
  if (trace === undefined || path.length <= trace.depth) return text
  const value = valueAt(valueOfJson(text), path)
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return text
  return removeEmptied(removeFromJson(text, path), path.slice(0, -1), trace)
}
