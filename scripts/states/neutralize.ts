import { dirname } from 'node:path'
import type { Trial } from '../resume/trial.ts'

/** Longer texts are the clients' own instructions and descriptions of tools. */
const MAX_CHARACTERS = 2000

/** Lines of Claude Code that have only copies of what it sends to its model. */
const COPIES = ['api-request-shape', 'api-request-blob', 'api-request', 'cost-state', 'atis-latch']

/** Returns a session without the paths of this machine and without the clients' own instructions. */
export function neutralize(session: string, { home, project }: Trial): string {
  const slug = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')
  const text = session
    .replaceAll(project, '/home/dev/project')
    .replaceAll(home, '/home/dev')
    .replaceAll(slug(project), '-home-dev-project')
    .replaceAll(new RegExp(`${dirname(dirname(home))}/[^"/]+/node_modules`, 'g'), '/home/dev/node_modules')
  const document = parse(text)
  if (document !== undefined) return `${JSON.stringify(trim(document), undefined, 2)}\n`
  const lines = text
    .split('\n')
    .map(parse)
    .filter((value) => value !== undefined && !isCopy(value))
  return lines.map((line) => `${JSON.stringify(trim(withoutDescription(line)))}\n`).join('')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isCopy = (line: unknown): boolean => COPIES.includes(String((line as { type?: unknown }).type))

/** Attachments of Claude Code that describe the client, and not the project. */
const DESCRIPTIONS = [
  'prompt_snapshot',
  'skill_listing',
  'agent_listing_delta',
  'deferred_tools_delta',
  'session_context',
]

/** Returns a line of Claude Code without the description that it has attached: its place in the tree stays. */
function withoutDescription(line: unknown): unknown {
  const { attachment } = line as { attachment?: { type?: unknown } }
  if (attachment === undefined || !DESCRIPTIONS.includes(String(attachment.type))) return line
  return { ...(line as object), attachment: { type: attachment.type }, rendered: [] }
}

function trim(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_CHARACTERS ? '[trimmed]' : value
  if (Array.isArray(value)) return value.map(trim)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trim(inner)]))
}
