import { isMap, isScalar, parseDocument, type Document, type Pair, type YAMLMap } from 'yaml'
import { setInJson, removeFromJson } from './edit-json.ts'
import { lineEndOf } from './json-layout.ts'
import { lineOf, SettingsFault } from './settings-fault.ts'

/** A YAML file as the package `yaml` reads it. It writes comments and quotation marks in its own way, so lines are added here. */

/** The keys of a value: a key of the document, and one below it. */
type YamlPath = readonly [string, string]

/** Returns the value at a path; undefined if there is none. */
export const valueInYaml = (text: string, path: YamlPath): unknown => documentOf(text).getIn(path)

/** Returns whether the first key of a path is there, also without a value. */
export const hasParent = (text: string, [parent]: YamlPath): boolean => documentOf(text).has(parent)

/** Returns the text with a value at a path. @throws SettingsFault if the document has no lines with keys there */
export function setInYaml(text: string, path: YamlPath, value: string | boolean): string {
  const document = documentOf(text)
  if (isFlow(document)) return inFlow(text, document, () => setInJson(text, path, value))
  const line = `${path[1]}: ${JSON.stringify(value)}`
  const parent = pairOf(document.contents, path[0])
  if (parent === undefined) return addAtEnd(text, `${path[0]}:`, `  ${line}`)
  const map = mapOf(text, parent, path[0])
  if (map === undefined) return insertBelow(text, startOf(parent.key), line)
  if (map.flow === true) return insertInFlow(text, map, line)
  const old = pairOf(map, path[1])
  if (old !== undefined) return replaceScalar(text, old, { path, value })
  const first = startOf(map.items[0]?.key)
  const start = lineStart(text, first)
  return text.slice(0, start) + text.slice(start, first) + line + lineEndOf(text) + text.slice(start)
}

/** Returns the text without the value at a path. @param keepsParent whether a key without a value stays above it */
export function removeFromYaml(text: string, path: YamlPath, keepsParent = false): string {
  const document = documentOf(text)
  if (isFlow(document)) return inFlow(text, document, () => removeFromJson(text, path))
  const parent = pairOf(document.contents, path[0])
  const map = parent === undefined ? undefined : mapOf(text, parent, path[0])
  const pair = pairOf(map, path[1])
  if (map === undefined || pair === undefined) return text
  if (map.flow === true) return removeFromFlow(text, map, path[1])
  // A key without a value may have been there before, with comments below it.
  const lines = text.slice(startOf(parent?.key), lineStart(text, startOf(pair.key))).split('\n')
  const isAlone =
    !keepsParent &&
    map.items.length === 1 &&
    lines.slice(1).join('').trim() === '' &&
    /^[^#]*:\s*$/.test(lines[0] ?? '')
  return removeLines(text, startOf((isAlone ? parent : pair)?.key), endOf(pair))
}

type Map = YAMLMap

function documentOf(text: string): Document {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false })
  const [fault] = document.errors
  if (fault?.code === 'MULTIPLE_DOCS') throw new SettingsFault('a second document begins', lineOf(text, fault.pos[0]))
  if (fault !== undefined) throw new SettingsFault(fault.message, lineOf(text, fault.pos[0]))
  if (document.contents !== null && !isMap(document.contents))
    throw new SettingsFault('the document is no list of keys', lineOf(text, startOf(document.contents)))
  return document
}

const isFlow = ({ contents }: Document): boolean => isMap(contents) && contents.flow === true

/** Changes a document in braces, which is JSON at best. */
function inFlow(text: string, { contents }: Document, work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error
    const fault = 'the document is in braces and is no JSON: only one with a key in each line can be changed'
    throw new SettingsFault(fault, lineOf(text, startOf(contents)))
  }
}

const pairOf = (map: unknown, key: string): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => isScalar(pair.key) && pair.key.value === key) : undefined

/** Returns the keys below a key; undefined if it has no value. */
function mapOf(text: string, { key, value }: Pair, name: string): Map | undefined {
  if (isMap(value)) return value
  const [start, end] = rangeOf(value)
  if (start === end) return undefined
  throw new SettingsFault(`"${name}" has no keys below it`, lineOf(text, startOf(key)))
}

/** Returns where a node begins or ends in the text. Nodes that were read have both. */
const rangeOf = (node: unknown): readonly [number, number, number] =>
  (node as { range?: [number, number, number] | null } | null | undefined)?.range ?? [0, 0, 0]
const startOf = (node: unknown): number => rangeOf(node)[0]
const endOf = ({ key, value }: Pair): number => Math.max(rangeOf(key)[1], rangeOf(value)[1])

const lineStart = (text: string, index: number): number => text.lastIndexOf('\n', index - 1) + 1
const nextLine = (text: string, index: number): number => {
  const end = text.indexOf('\n', index)
  return end === -1 ? text.length : end + 1
}

function addAtEnd(text: string, ...lines: string[]): string {
  const eol = lineEndOf(text)
  const end = text.slice(3).search(/^(?:\.\.\.|---)/m)
  if (end >= 0) throw new SettingsFault('the document ends, and nothing can be added behind it', lineOf(text, end + 3))
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${lines.join(eol)}${eol}`
}

/** Adds a line below a key without a value. */
function insertBelow(text: string, key: number, line: string): string {
  const indent = text.slice(lineStart(text, key), key)
  const end = nextLine(text, key)
  const eol = lineEndOf(text)
  const before = text.slice(0, end)
  return `${before}${before.endsWith('\n') ? '' : eol}${indent}  ${line}${eol}${text.slice(end)}`
}

function insertInFlow(text: string, map: Map, line: string): string {
  const open = startOf(map) + 1
  return `${text.slice(0, open)}${line}${map.items.length === 0 ? '' : ', '}${text.slice(open)}`
}

function removeFromFlow(text: string, map: Map, key: string): string {
  const index = map.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  const [pair, next, previous] = [map.items[index], map.items[index + 1], map.items[index - 1]]
  if (pair === undefined) return text
  const start = next === undefined && previous !== undefined ? endOf(previous) : startOf(pair.key)
  return text.slice(0, start) + text.slice(next === undefined ? endOf(pair) : startOf(next.key))
}

function replaceScalar(
  text: string,
  { value: old }: Pair,
  { path, value }: { path: YamlPath; value: string | boolean },
): string {
  if (!isScalar(old))
    throw new SettingsFault(`"${path.join('.')}" has keys or a list below it`, lineOf(text, startOf(old)))
  const [start, end] = rangeOf(old)
  return text.slice(0, start) + (start === end ? ' ' : '') + JSON.stringify(value) + text.slice(end)
}

const removeLines = (text: string, from: number, to: number): string =>
  text.slice(0, lineStart(text, from)) + text.slice(nextLine(text, to))
