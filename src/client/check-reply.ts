import { strangeReply } from './precis-error.ts'

/** A field that each reply of a route has. */
const FIELDS: Readonly<Record<string, string>> = {
  '/compaction': 'summary',
  '/branch-summary': 'summary',
  '/handoff': 'document',
  '/compaction/plan': 'action',
  '/compaction/prepare': 'state',
}

/** Returns a reply that is one of its route. @throws PrecisError for that of another program */
export function checkReply(path: string, reply: Readonly<Record<string, unknown>>): never {
  const field = FIELDS[path]
  if (field !== undefined && typeof reply[field] !== 'string') throw strangeReply(`no text \`${field}\``)
  return reply as never
}
