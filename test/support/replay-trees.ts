/**
 * What three agents read from their session files, written from their formats and not from `src/`: a test compares with it what the
 * service writes back. Each message is a text; a summary begins with `SUMMARY `.
 */
export type Replay = (document: string) => string[]

export interface Values {
  [name: string]: unknown
}

/** Returns the fields of a value that should be an object. */
export const valuesOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {}

/** Returns the elements of a value that should be a list. */
export const listOf = (value: unknown): Values[] => (Array.isArray(value) ? value.map(valuesOf) : [])

export const linesOf = (document: string): Values[] =>
  document.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Values]))

/** Returns the way from the root to a node. A missing parent is the root. */
function pathTo(leaf: Values | undefined, byId: ReadonlyMap<unknown, Values>, parent: string): Values[] {
  const path: Values[] = []
  for (let node = leaf; node !== undefined && !path.includes(node); node = byId.get(node[parent])) path.push(node)
  return path.reverse()
}

/** Nodes by their ids. A line that stands twice is one node, where it stands first. */
function byId(nodes: readonly Values[], name: string): Map<unknown, Values> {
  const found = new Map<unknown, Values>()
  for (const node of nodes) if (typeof node[name] === 'string' && !found.has(node[name])) found.set(node[name], node)
  return found
}

const blocksOf = (line: Values): Values[] => {
  const { content } = valuesOf(line['message'])
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}

/**
 * Claude Code 2.1: the path from the newest message to the boundary of the newest compaction; the lines that it has preserved
 * follow the summary. The blocks of an answer are on lines of their own, and results may be siblings of them.
 */
export const replayClaudeCode: Replay = (document) => {
  const all = byId(linesOf(document), 'uuid')
  const main = [...all.values()].filter(({ isSidechain }) => isSidechain !== true)
  // A file with nothing else is that of a sub-agent.
  const lines = main.length > 0 ? main : [...all.values()]
  const isMessage = ({ type }: Values): boolean => type === 'user' || type === 'assistant'
  const leaf = newestBelow(lines.at(-1), lines)
  const path = pathTo(leaf, all, 'parentUuid')
  const boundary = path.findLast(({ subtype }) => subtype === 'compact_boundary')
  const { preservedMessages } = valuesOf(boundary?.['compactMetadata'])
  const ids = (valuesOf(preservedMessages)['uuids'] ?? []) as unknown[]
  const preserved = ids.map((id) => {
    const line = all.get(id)
    if (line === undefined) throw new Error(`The preserved line ${String(id)} is not in the file.`)
    return line
  })
  const at = path.findIndex(({ isCompactSummary }) => isCompactSummary === true)
  const shown = [...path.slice(0, at + 1), ...preserved, ...path.slice(at + 1)].filter(isMessage)
  const from = boundary === undefined ? -1 : lines.indexOf(boundary)
  const others = boundary === undefined ? lines : [...new Set([...shown, ...lines.slice(from)])]
  return joinAnswers(shown, parentsFirst(others))
}

/** Returns lines in the order of the file, but each after its parent, as a way to the newest line has them. */
function parentsFirst(lines: readonly Values[]): Values[] {
  const left = [...lines]
  const result: Values[] = []
  while (left.length > 0) {
    const ids = new Set(left.map(({ uuid }) => uuid))
    const at = left.findIndex(({ uuid, parentUuid }) => parentUuid === uuid || !ids.has(parentUuid))
    result.push(...left.splice(Math.max(0, at), 1))
  }
  return result
}

/** The newest of the lines to which a line leads, by their times; of those of the same time, the last one in the file. */
function newestBelow(top: Values | undefined, lines: readonly Values[]): Values | undefined {
  const timeOf = ({ timestamp }: Values): string => (typeof timestamp === 'string' ? timestamp : '')
  const below = new Set([top])
  // A line may stand before the one that it follows.
  for (let size = 0; size < below.size;) {
    size = below.size
    const ids = new Set([...below].map((line) => line?.['uuid']))
    for (const line of lines) if (ids.has(line['parentUuid'] ?? line['logicalParentUuid'])) below.add(line)
  }
  const others = lines.filter((line) => line !== top && below.has(line))
  const newest = others.reduce((found, line) => (timeOf(line) >= timeOf(found) ? line : found), others[0] ?? {})
  return others.length > 0 && lines.some((line) => timeOf(line) > timeOf(top ?? {}) || timeOf(line) === '')
    ? newest
    : top
}

/** @param others the lines among which the other blocks of an answer and the results of its calls are */
function joinAnswers(shown: readonly Values[], others: readonly Values[]): string[] {
  const done = new Set<Values>()
  const result: string[] = []
  for (const line of shown) {
    if (done.has(line)) continue
    const { id } = valuesOf(line['message'])
    if (line['type'] === 'user') {
      const isSummary = line['isCompactSummary'] === true
      result.push(`${isSummary ? 'SUMMARY ' : ''}${JSON.stringify(blocksOf(line))}`)
      continue
    }
    const parts = id === undefined ? [line] : others.filter((one) => valuesOf(one['message'])['id'] === id)
    for (const part of parts) done.add(part)
    const blocks = parts.flatMap(blocksOf)
    result.push(JSON.stringify(blocks))
    for (const call of blocks.filter(({ type }) => type === 'tool_use')) {
      const answer = others.find((one) => blocksOf(one).some(({ tool_use_id: of }) => of === call['id']))
      if (answer !== undefined && !done.has(answer)) result.push(JSON.stringify(blocksOf(answer)))
      if (answer !== undefined) done.add(answer)
    }
  }
  return result
}

/** Qwen Code 0.24: the path to the newest line; from a compression on, its history by value. */
export const replayQwen: Replay = (document) => {
  const lines = byId(linesOf(document), 'uuid')
  const path = pathTo([...lines.values()].at(-1), lines, 'parentUuid')
  const at = path.findLastIndex(({ subtype }) => subtype === 'chat_compression')
  const { compressedHistory } = valuesOf(path[at]?.['systemPayload'])
  const messages = path.slice(at + 1).flatMap(({ message }) => (message === undefined ? [] : [valuesOf(message)]))
  return [...listOf(compressedHistory), ...messages]
    .filter(({ parts }) => listOf(parts).length > 0)
    .map((content) => {
      const text = JSON.stringify(content)
      return text.includes('<summary>') ? `SUMMARY ${text}` : text
    })
}

/** pi, session version 3: the newest compaction, the entries from its first kept one to it, and those after it. */
export const replayPi: Replay = (document) => {
  const isLines = /^\{[^\n]*\}\n./.test(document)
  const posted = isLines ? linesOf(document) : valuesOf(JSON.parse(document))
  const entries = (Array.isArray(posted) ? posted.map(valuesOf) : listOf(posted['entries'])).filter(
    ({ type }) => type !== 'session',
  )
  const isNamed = entries.some(({ id }) => id !== undefined)
  const path = isNamed ? pathTo(entries.at(-1), byId(entries, 'id'), 'parentId') : entries
  const at = path.findLastIndex(({ type }) => type === 'compaction')
  const { firstKeptEntryId: id, firstKeptEntryIndex: number, summary } = path[at] ?? {}
  // The header is line 0.
  const first = isNamed ? path.findIndex((entry) => entry['id'] === id) : Number(number) - 1
  const kept = at < 0 || first < 0 ? [] : path.slice(first, at)
  const messages = [...kept, ...path.slice(at + 1)].filter(
    ({ type }) => type === 'message' || type === 'custom_message',
  )
  return [
    ...(summary === undefined ? [] : [`SUMMARY ${JSON.stringify(summary)}`]),
    ...messages.map(({ message, content }) => JSON.stringify(message ?? content)),
  ]
}
