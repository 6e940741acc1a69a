import { strangeReply } from './precis-error.ts'

type Kind = 'text' | 'number' | 'boolean' | 'list' | 'object'

/** The fields that each reply of a route has, and that are never null. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  '/compaction': { summary: 'text', shortSummary: 'text', details: 'object', report: 'object' },
  '/branch-summary': { summary: 'text', details: 'object', entryIds: 'list', report: 'object' },
  '/handoff': { document: 'text', details: 'object', report: 'object' },
  '/compaction/plan': {
    ...{ action: 'text', reason: 'text', contextTokens: 'number', isSplitTurn: 'boolean', tokensBefore: 'number' },
    ...{ tokensOutside: 'number', tokensKept: 'number', keep: 'object', hasPreviousSummary: 'boolean' },
    ...{ previousSummaryTokens: 'number', details: 'object', windows: 'number', promptTokens: 'number' },
    ...{ summarizerWindow: 'number', prune: 'object', entries: 'list' },
  },
  '/compaction/prepare': { state: 'text', tokensCovered: 'number', tokensKept: 'number', contextTokens: 'number' },
  '/compaction/compare': { compaction: 'object', agent: 'object', precis: 'object', counts: 'list', facts: 'list' },
  '/prune': { pruned: 'list', tokensSaved: 'number', mostTokensSaved: 'number' },
  '/context': { messages: 'list' },
  '/recall': {
    ...{ passages: 'list', matches: 'object', unknownTerms: 'list', scope: 'text', searched: 'object' },
    ...{ truncated: 'boolean' },
  },
}

/** Returns a reply that is one of its route. @throws PrecisError for that of another program */
export function checkReply(path: string, reply: Readonly<Record<string, unknown>>): never {
  for (const [field, kind] of Object.entries(FIELDS[path] ?? {}))
    if (kindOf(reply[field]) !== kind) throw strangeReply(`no ${kind} \`${field}\``)
  return reply as never
}

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as Kind
  return typeof value === 'object' && value !== null ? 'object' : undefined
}

/** Returns the header that each reply in another form than JSON has. */
const headerOf = (form: string): string =>
  form === 'native' ? 'x-precis-native' : form === 'text' ? 'x-precis-parts' : 'x-precis-format'

/** Checks that a reply in a form is one of the service. @throws PrecisError for that of another program */
export function checkRawReply(form: string, headers: Headers): void {
  if (form !== 'json' && !headers.has(headerOf(form))) throw strangeReply(`no header \`${headerOf(form)}\``)
}
