/** A session entry as a client writes it to its file (version 3), as far as the benchmarks look at it. */
export interface SessionEntry {
  type: string
  id: string
  parentId: string | null
  message?: SessionMessage
  [field: string]: unknown
}

export interface SessionMessage {
  role: string
  content?: string | ContentPart[]
  /** Of a tool result. */
  toolCallId?: string
  isError?: boolean
  /** Of a command that the user ran by hand. */
  command?: string
  output?: string
  exitCode?: number
  [field: string]: unknown
}

export interface ContentPart {
  type: string
  text?: string
  id?: string
  name?: string
  arguments?: Record<string, unknown>
}

/** The text of a message, its text parts joined by line breaks. */
export function textOf({ content = [] }: SessionMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}

/** The tool calls of a message. */
export function callsOf({ content = [] }: SessionMessage): ContentPart[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type === 'toolCall')
}

/** The characters of a message's texts and calls, which the service counts as tokens by fours. */
export function charactersOf(message: SessionMessage): number {
  const calls = callsOf(message).map((call) => JSON.stringify(call.arguments ?? {}).length)
  return textOf(message).length + calls.reduce((sum, characters) => sum + characters, 0)
}

/** Puts entries in one line: each the child of the one before. */
export function chain(entries: readonly Omit<SessionEntry, 'parentId'>[]): SessionEntry[] {
  return entries.map((entry, index) => ({ ...entry, parentId: entries[index - 1]?.id ?? null }) as SessionEntry)
}
