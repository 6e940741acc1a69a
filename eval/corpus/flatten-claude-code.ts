interface Line {
  type: string
  uuid?: string
  isCompactSummary?: boolean
  message?: object
  data?: { type?: string; message?: { type?: string; message?: { content?: unknown } } }
}

/**
 * Returns a session of Claude Code as one branch, without its compactions. The calls of its sub-agents, which are notes of progress
 * in the file, follow as its own calls where it goes on after them.
 */
export function flattenClaudeCode(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const ordered = placeProgress(lines.map((line) => JSON.parse(line) as Line))
  const written = ordered.map((line, index) =>
    JSON.stringify({ ...line, parentUuid: ordered[index - 1]?.uuid ?? null, isSidechain: false, sessionId: 'joined' }),
  )
  return `${written.join('\n')}\n`
}

/** Returns the messages, those of sub-agents before the next answer of the agent. */
function placeProgress(lines: readonly Line[]): Line[] {
  const ordered: Line[] = []
  let waiting: Line[] = []
  for (const line of lines) {
    const { type, uuid, data, isCompactSummary } = line
    const { type: role = '', message } = data?.message ?? {}
    // The first message of a sub-agent is its task, which is in the call already.
    if (data?.type === 'agent_progress' && !hasText(data.message))
      waiting.push({ type: role, uuid: uuid ?? '', message: message ?? {} })
    else if (type === 'user' && isCompactSummary !== true) ordered.push(line)
    else if (type === 'assistant') {
      ordered.push(...waiting, line)
      waiting = []
    }
  }
  return ordered
}

function hasText(message: NonNullable<Line['data']>['message']): boolean {
  const content = message?.message?.content
  const isOfUser = message?.type === 'user'
  return isOfUser && (!Array.isArray(content) || content.some((block) => (block as { type?: string }).type === 'text'))
}
