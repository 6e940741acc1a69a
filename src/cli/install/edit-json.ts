import { lineEndOf, lineIndent, unitOf, writePart, writeValue, type NewPart } from './json-layout.ts'
import { endOfLine, parseJsonTree, skipSpace, type JsonMember, type JsonNode } from './json-tree.ts'
import { lineOf, SettingsFault } from './settings-fault.ts'

/** The keys that lead to a value. */
type JsonPath = readonly string[]

/** Returns the value of a document; undefined if it is empty. @throws SettingsFault if it is no JSON */
export const valueOfJson = (text: string): unknown => parseJsonTree(text)?.value

/** Returns the value at a path of a value; undefined if there is none. */
export const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  )

/**
 * Returns the text with a value at a path. Everything else stays as it is: comments, order, indentation, line ends.
 * @throws SettingsFault if something on the path is no object
 */
export function setInJson(text: string, path: JsonPath, value: unknown): string {
  const root = rootOf(text)
  const { node, depth } = deepest(root, path)
  if (depth === path.length)
    return splice(text, [node.start, node.end], writeValue(text, value, lineIndent(text, node.start)))
  if (node.members === undefined)
    throw new SettingsFault(isNo('object', path.slice(0, depth)), lineOf(text, node.start))
  const rest = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return addPart(text, node, { key: path[depth] ?? '', value: rest })
}

/** Returns the text with one more element at the end of the list at a path, which is created if it is not there. */
export function appendInJson(text: string, path: JsonPath, value: unknown): string {
  const { node, depth } = deepest(rootOf(text), path)
  if (depth < path.length) return setInJson(text, path, [value])
  if (node.items === undefined) throw new SettingsFault(isNo('list', path), lineOf(text, node.start))
  return addPart(text, node, { value })
}

/** Returns the text without the member at a path. */
export function removeFromJson(text: string, path: JsonPath): string {
  const { node: parent, depth } = deepest(rootOf(text), path.slice(0, -1))
  const index = parent.members?.findLastIndex(({ key }) => key === path.at(-1)) ?? -1
  return depth < path.length - 1 || index === -1 ? text : removePart(text, parent, index)
}

/** Returns the text without the elements of a list that are ours, and without those hooks in other elements that are ours. */
export function removeElements(text: string, path: JsonPath, isOurs: (value: unknown) => boolean): string {
  const { node, depth } = deepest(rootOf(text), path)
  if (depth < path.length || node.items === undefined) return text
  const index = node.items.findLastIndex(({ value }) => hooksIn(value).some(isOurs))
  const element = node.items[index]
  if (element === undefined) return text
  const isAllOurs = hooksIn(element.value).every(isOurs)
  return removeElements(isAllOurs ? removePart(text, node, index) : removeHook(text, element, isOurs), path, isOurs)
}

/** Returns the hooks of an element; an element that is no group of hooks is one itself. */
export function hooksIn(element: unknown): readonly unknown[] {
  const hooks = valueAt(element, ['hooks'])
  return Array.isArray(hooks) ? hooks : [element]
}

function removeHook(text: string, element: JsonNode, isOurs: (value: unknown) => boolean): string {
  const hooks = deepest(element, ['hooks']).node
  return removePart(text, hooks, hooks.items?.findLastIndex(({ value }) => isOurs(value)) ?? -1)
}

/** Returns how many keys of a path are there. */
export const knownDepth = (text: string, path: JsonPath): number => {
  const root = parseJsonTree(text)
  return root === undefined ? 0 : deepest(root, path).depth
}

const isNo = (what: string, path: JsonPath): string =>
  `${path.length === 0 ? 'the document' : `"${path.join('.')}"`} is no ${what}`

/** An empty document is an empty object. */
const rootOf = (text: string): JsonNode =>
  parseJsonTree(text) ?? { start: text.length, end: text.length, value: {}, members: [] }

/** Returns the last value on a path that is there, and how many of its keys lead to it. */
function deepest(root: JsonNode, path: JsonPath): { node: JsonNode; depth: number } {
  let node = root
  for (const [depth, key] of path.entries()) {
    // Of two members with one key, JSON.parse takes the last one.
    const next = node.members?.findLast((member) => member.key === key)
    if (next === undefined) return { node, depth }
    node = next.node
  }
  return { node, depth: path.length }
}

const splice = (text: string, [start, end]: readonly [number, number], by: string): string =>
  text.slice(0, start) + by + text.slice(end)

function addPart(text: string, parent: JsonNode, part: NewPart): string {
  if (parent.start === parent.end) return addDocument(text, part)
  const last = partsOf(parent).at(-1)
  return last === undefined ? addFirst(text, parent, part) : addAfter(text, last, { parent, part })
}

function addDocument(text: string, part: NewPart): string {
  const eol = lineEndOf(text)
  const before = text === '' || /[\n\uFEFF]$/.test(text) ? text : text + eol
  return `${before}{${eol}${unitOf(text)}${writePart(text, part, unitOf(text))}${eol}}${eol}`
}

/** Adds a part to an object or a list that is empty, but for comments. */
function addFirst(text: string, parent: JsonNode, part: NewPart): string {
  const [open, close] = [parent.start + 1, parent.end - 1]
  const inside = text.slice(open, close).trimEnd()
  const outer = lineIndent(text, parent.start)
  const indent = outer + unitOf(text)
  const eol = lineEndOf(text)
  return splice(text, [open + inside.length, close], `${eol}${indent}${writePart(text, part, indent)}${eol}${outer}`)
}

function addAfter(text: string, last: JsonPart, { parent, part }: { parent: JsonNode; part: NewPart }): string {
  const comma = skipSpace(text, last.end)
  const hasComma = text[comma] === ','
  const end = hasComma ? comma + 1 : last.end
  const lineEnd = endOfLine(text, end) ?? end
  // A part after the closing bracket's line, or in the line of the last one.
  const isInline = lineEnd >= parent.end - 1 || !text.slice(parent.start, last.end).includes('\n')
  if (isInline) {
    const [start, lead] = hasComma ? [comma + 1, ' '] : [last.end, ', ']
    return splice(text, [start, start], `${lead}${writePart(text, part, undefined)}${hasComma ? ',' : ''}`)
  }
  const indent = lineIndent(text, last.start)
  const line = `${lineEndOf(text)}${indent}${writePart(text, part, indent)}${hasComma ? ',' : ''}`
  const added = splice(text, [lineEnd, lineEnd], line)
  return hasComma ? added : splice(added, [last.end, last.end], ',')
}

interface JsonPart {
  start: number
  end: number
}

const partOf = ({ start, node }: JsonMember): JsonPart => ({ start, end: node.end })
const partsOf = ({ members, items = [] }: JsonNode): readonly JsonPart[] => members?.map(partOf) ?? items

/** Removes a part with its comma, and with its line if nothing else is in it. */
function removePart(text: string, parent: JsonNode, index: number): string {
  const parts = partsOf(parent)
  const part = parts[index] ?? parent
  if (parts.length === 1) return removeOnly(text, parent, part)
  const after = skipSpace(text, part.end)
  const end = text[after] === ',' ? after + 1 : part.end
  let lineStart = part.start
  while (text[lineStart - 1] === ' ' || text[lineStart - 1] === '\t') lineStart -= 1
  const isOwnLine = text[lineStart - 1] === '\n' && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end))
  const removed = isOwnLine
    ? splice(text, [lineStart, end + (/^[ \t]*\r?\n?/.exec(text.slice(end))?.[0].length ?? 0)], '')
    : splice(text, [lineStart, end], '')
  const previous = parts[index - 1]
  if (index < parts.length - 1 || end > part.end || previous === undefined) return removed
  // The part before it is now the last one, and its comma was not there.
  const comma = skipSpace(text, previous.end)
  return splice(removed, [comma, comma + 1], '')
}

/** Removes the only part of an object or a list. What is left between the brackets are comments. */
function removeOnly(text: string, parent: JsonNode, part: JsonPart): string {
  const after = skipSpace(text, part.end)
  const end = text[after] === ',' ? after + 1 : part.end
  const [open, close] = [parent.start + 1, parent.end - 1]
  const [before, behind] = [text.slice(open, part.start).trimEnd(), text.slice(end, close)]
  if (before === '' && behind.trim() === '') return splice(text, [open, close], '')
  return splice(text, [open, close], before + behind)
}
