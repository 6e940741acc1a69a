import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { lineOf, SettingsFault } from './settings-fault.ts'

/** A value in JSON text that may have comments and commas before closing brackets, as the settings of agents have. */
export interface JsonNode {
  /** The index of its first character, and that after its last one. */
  start: number
  end: number
  value: unknown
  /** The members of an object, in their order. */
  members?: readonly JsonMember[]
  /** The elements of a list. */
  items?: readonly JsonNode[]
}

export interface JsonMember {
  key: string
  /** Where its key begins. */
  start: number
  node: JsonNode
}

/** Returns the value that a text has, with its places; undefined if there is nothing but space and comments. @throws SettingsFault */
export function parseJsonTree(text: string): JsonNode | undefined {
  const errors: ParseError[] = []
  // A byte order mark is no part of the document.
  const document = text.replace(/^\uFEFF/, ' ')
  if (skipSpace(document, 0) === document.length) return undefined
  refuseDepth(document)
  const root = parseTree(document, errors, { allowTrailingComma: true })
  const [fault] = errors
  if (fault === undefined) return root && nodeOf(root)
  throw new SettingsFault(inWords(printParseErrorCode(fault.error)), lineOf(text, fault.offset))
}

/** No settings have more levels, and each level of the document is one of the calls that read it. */
const MOST_LEVELS = 500

function refuseDepth(text: string): void {
  const scanner = createScanner(text, true)
  let levels = 0
  for (;;) {
    scanner.scan()
    const first = text[scanner.getTokenOffset()]
    if (first === undefined) return
    if (first === '{' || first === '[') levels += 1
    if (first === '}' || first === ']') levels -= 1
    if (levels > MOST_LEVELS)
      throw new SettingsFault(
        `more than ${MOST_LEVELS} objects and lists are one in another`,
        lineOf(text, scanner.getTokenOffset()),
      )
  }
}

/** Returns a code such as `CommaExpected` as words. */
const inWords = (code: string): string => code.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase()

function nodeOf({ type, offset: start, length, value, children = [] }: Node): JsonNode {
  const place = { start, end: start + length }
  if (type === 'array') {
    const items = children.map(nodeOf)
    return { ...place, value: items.map((item) => item.value), items }
  }
  if (type !== 'object') return { ...place, value: value as unknown }
  const members = children.flatMap(({ children: [key, inner] = [] }) =>
    key === undefined || inner === undefined ? [] : { key: String(key.value), start: key.offset, node: nodeOf(inner) },
  )
  return { ...place, value: Object.fromEntries(members.map(({ key, node }) => [key, node.value])), members }
}

/** Returns the index of the next character that is neither space nor part of a comment. */
export function skipSpace(text: string, from: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return scanner.getTokenOffset()
}

/** Returns where the line of an index ends, if only space and comments follow in it; undefined otherwise. */
export function endOfLine(text: string, from: number): number | undefined {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  let next: string | undefined
  do {
    scanner.scan()
    next = text[scanner.getTokenOffset()]
  } while (next !== undefined && ' \t/'.includes(next))
  return next === undefined || '\r\n}]'.includes(next) ? scanner.getTokenOffset() : undefined
}
