import { isDeepStrictEqual } from 'node:util'
import {
  FILE_MARK,
  isOurServer,
  SERVER_NAME,
  type ElementSetting,
  type KeySetting,
  type MemberSetting,
  type AgentSetting,
  type TableSetting,
} from '../../agents/install-target.ts'
import {
  appendInJson,
  hooksIn,
  knownDepth,
  removeElements,
  removeFromJson,
  setInJson,
  valueAt,
  valueOfJson,
} from './edit-json.ts'
import { hasTable, removeTable, replaceTable, setTable, tableText, valuesOfTable } from './edit-toml.ts'
import { hasParent, removeFromYaml, setInYaml, valueInYaml } from './edit-yaml.ts'

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
      return isDeepStrictEqual(valueAt(valueOfJson(text), setting.path), setting.value)
    case 'element':
      return isDeepStrictEqual(oursIn(text, setting), [setting.value])
    case 'table':
      return hasTable(text, setting.name, setting.value)
    case 'key':
      return valueInYaml(text, setting.path) === setting.value
    case 'file':
      return text === setting.text
  }
}

/** Returns whether a text has a setting of ours, also an older one, or one that was changed. */
export const hasOurs = (text: string | undefined, setting: AgentSetting, trace?: Trace): boolean =>
  text !== undefined && removeSetting(text, setting, trace) !== text

/** Returns the elements of ours: of a group of hooks, each hook of ours as if it were alone in it. */
function oursIn(text: string, { path, isOurs }: ElementSetting): unknown[] {
  const list = valueAt(valueOfJson(text), path)
  if (!Array.isArray(list)) return []
  return list.flatMap((element: unknown) => {
    const hooks = hooksIn(element)
    const ours = hooks.filter(isOurs)
    return hooks[0] === element ? ours : ours.map((hook) => ({ ...(element as object), hooks: [hook] }))
  })
}

/**
 * Returns whether somebody else than an installation has written what is in the place of a setting: it belongs to the user, also if ours
 * was there before.
 */
export function isOfUser(text: string, setting: AgentSetting): boolean {
  switch (setting.kind) {
    case 'member': {
      const found = valueAt(valueOfJson(text), setting.path)
      return found !== undefined && !isDeepStrictEqual(found, setting.value) && !isOurServer(found)
    }
    case 'table': {
      const server = serverIn(text, setting)
      return server !== undefined && !isOurServer(server)
    }
    case 'key': {
      const found = valueInYaml(text, setting.path)
      return found !== undefined && found !== setting.value
    }
    case 'element':
      return false
    case 'file':
      return !text.slice(0, 200).includes(FILE_MARK)
  }
}

/** Returns the values of the table of the server: a table below it belongs to it. */
export const serverIn = (text: string, { name }: TableSetting): unknown =>
  valuesOfTable(text, name.slice(0, name.indexOf(SERVER_NAME) + 1))

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
  if (setting.kind === 'file') return { depth: 0 }
  if (setting.kind === 'table') return withPrevious(0, tableText(text, setting.name))
  if (setting.kind === 'key')
    return withPrevious(hasParent(text, setting.path) ? 1 : 0, valueInYaml(text, setting.path))
  const depth = knownDepth(text, setting.path)
  const previous = setting.kind === 'member' ? valueAt(valueOfJson(text), setting.path) : oursIn(text, setting)[0]
  return withPrevious(depth, previous)
}

const withPrevious = (depth: number, previous: unknown): Trace =>
  previous === undefined ? { depth } : { depth, previous }

/**
 * Returns the text without a setting; undefined for a file that is all ours.
 * @param trace what was there before; without it, only what is certainly ours is removed
 */
export function removeSetting(text: string, setting: AgentSetting, trace?: Trace): string | undefined {
  if (isOfUser(text, setting)) return text
  switch (setting.kind) {
    case 'member':
      return removeMember(text, setting, trace)
    case 'key':
      return removeKey(text, setting, trace)
    case 'element':
      return removeOurElements(text, setting, trace)
    case 'table':
      return removeOurTable(text, setting, trace)
    case 'file':
      return undefined
  }
}

function removeMember(text: string, { path }: MemberSetting, trace: Trace | undefined): string {
  if (trace?.previous !== undefined) return setInJson(text, path, trace.previous)
  // Agents write an empty object of servers themselves: without a trace, it stays.
  const rest = removeFromJson(text, path)
  return trace === undefined ? rest : removeEmptied(rest, path.slice(0, -1), trace)
}

function removeKey(text: string, { path }: KeySetting, trace: Trace | undefined): string {
  // A key of the agent's own belongs to its user if nothing says who has written it.
  if (trace === undefined || valueInYaml(text, path) === undefined) return text
  const { previous } = trace
  if (typeof previous === 'string' || typeof previous === 'boolean') return setInYaml(text, path, previous)
  return removeFromYaml(text, path, trace.depth > 0)
}

/** Without a trace, a list that had only elements of ours goes with them: to the agents, it is the same as none. */
function removeOurElements(text: string, { path, isOurs }: ElementSetting, trace: Trace = { depth: 0 }): string {
  // The user had it before.
  if (trace.previous !== undefined) return text
  const rest = removeElements(text, path, isOurs)
  return rest === text ? text : removeEmptied(rest, path, trace)
}

const removeOurTable = (text: string, { name }: TableSetting, trace: Trace | undefined): string =>
  typeof trace?.previous === 'string' ? replaceTable(text, name, trace.previous) : removeTable(text, name)

/** Removes objects and lists that an installation has created, and that are empty now. */
function removeEmptied(text: string, path: readonly string[], trace: Trace): string {
  if (path.length <= trace.depth) return text
  const value = valueAt(valueOfJson(text), path)
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return text
  return removeEmptied(removeFromJson(text, path), path.slice(0, -1), trace)
}
