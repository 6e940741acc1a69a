/** A session entry as a client writes it to its file (version 3), with the fields that the benchmarks use. */
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
  /** For a tool result. */
  toolCallId?: string
  isError?: boolean
  /** For a command that the user ran. */
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

/** Returns the text of a message, its text parts joined by line breaks. */
export function textOf({ content = [] }: SessionMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}

/** Returns the tool calls of a message. */
export function callsOf({ content = [] }: SessionMessage): ContentPart[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type === 'toolCall')
}

/** Counts the characters of a message's texts and calls; the service counts four of them as a token. */
export function charactersOf(message: SessionMessage): number {
  const calls = callsOf(message).map((call) => JSON.stringify(call.arguments ?? {}).length)
  return textOf(message).length + calls.reduce((sum, characters) => sum + characters, 0)
}

/** Makes each entry the child of the one before it. */
export function chain(entries: readonly Omit<SessionEntry, 'parentId'>[]): SessionEntry[] {
  return entries.map((entry, index) => ({ ...entry, parentId: entries[index - 1]?.id ?? null }) as SessionEntry)
}
