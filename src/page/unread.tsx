import type { Report } from '../schemas/compaction-reply.ts'
import { counted } from '../text/numbers.ts'
import { Jump } from './jump.tsx'

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

/** How much of the session was not read, as a link to what it was; nothing if all of it was read. */
export function UnreadFigures({ ignored }: { ignored: Ignored }) {
  const text = describeUnread(ignored)
  return text === '' ? null : (
    <>
      {' Not fully read: '}
      <Jump to="#unread > summary">{text}</Jump>.
    </>
  )
}

/** The parts of the session that were not read, with the numbers of lines and the names of types. */
export function Unread({ ignored }: { ignored: Ignored }) {
  const groups = groupsOf(ignored)
  return groups.length === 0 ? null : (
    <details id="unread">
      <summary>{`Not fully read: ${describeUnread(ignored)}`}</summary>
      <ul>
        {groups.map(({ title, names }) => (
          <li key={title}>{`${title}: ${names.join(', ')}`}</li>
        ))}
      </ul>
    </details>
  )
}

/** Returns how much of the session was not read: `2 lines, 1 entry`. */
const describeUnread = (ignored: Ignored): string =>
  groupsOf(ignored)
    .map(({ figure }) => figure)
    .join(', ')

function groupsOf(ignored: Ignored = {}) {
  return GROUPS.flatMap(([key, one, many, title]) => {
    const parts: [string, number][] =
      key === 'lines' ? (ignored.lines?.map((line) => [String(line), 1]) ?? []) : Object.entries(ignored[key] ?? {})
    if (parts.length === 0) return []
    const atLeast = parts.length < (key === 'lines' ? MAX_LINES : MAX_NAMES) ? '' : 'at least '
    const figure =
      atLeast +
      counted(
        parts.reduce((sum, [, size]) => sum + size, 0),
        one,
        many,
      )
    return [{ title, figure, names: parts.map(([name, size]) => (size > 1 ? `${name} (${size})` : name)) }]
  })
}
