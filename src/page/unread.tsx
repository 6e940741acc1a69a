import type { Report } from '../schemas/compaction-reply.ts'
import { counted } from '../text/numbers.ts'

type Ignored = Report['ignored']

/** The parts of a session that were not read, by the groups of `report.ignored`. */
const GROUPS = [
  ['lines', 'line', 'lines', 'Lines that are not JSON'],
  ['entryTypes', 'entry', 'entries', 'Unknown types of entries'],
  ['roles', 'message', 'messages', 'Unknown roles of messages (only a plain text is read)'],
  ['blocks', 'content block', 'content blocks', 'Unknown types of content blocks (only their text is read)'],
] as const

/** The service counts so many names of a group, and lists so many lines. */
const [MAX_NAMES, MAX_LINES] = [50, 100]

/** The parts of the session that were not read, with the numbers of lines and the names of types. */
export function Unread({ ignored }: { ignored: Ignored }) {
  const groups = groupsOf(ignored)
  return groups.length === 0 ? null : (
    <details id="unread">
      <summary>{`Not fully read: ${groups.map(({ figure }) => figure).join(', ')}`}</summary>
      <ul>
        {groups.map(({ title, names }) => (
          <li key={title}>{`${title}: ${names.join(', ')}`}</li>
        ))}
      </ul>
    </details>
  )
}

/** Returns the groups that have any, each with its size in words: `2 lines`. */
function groupsOf(ignored: Ignored = {}) {
  return GROUPS.flatMap(([key, one, many, title]) => {
    const parts: [string, number][] =
      key === 'lines' ? (ignored.lines?.map((line) => [String(line), 1]) ?? []) : Object.entries(ignored[key] ?? {})
    if (parts.length === 0) return []
    const atLeast = parts.length < (key === 'lines' ? MAX_LINES : MAX_NAMES) ? '' : 'at least '
    const total = parts.reduce((sum, [, size]) => sum + size, 0)
    const figure = atLeast + counted(total, one, many)
    return [{ title, figure, names: parts.map(([name, size]) => (size > 1 ? `${name} (${size})` : name)) }]
  })
}
