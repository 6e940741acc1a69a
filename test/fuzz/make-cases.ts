import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Random } from '../../bench/support/create-random.ts'
import BRANCH_EXAMPLE from '../../examples/api/summarizeBranch.json' with { type: 'json' }
import CHAT_EXAMPLE from '../../examples/api/createChatCompletion.json' with { type: 'json' }
import COMPARISON_EXAMPLE from '../../examples/api/compareCompactions.json' with { type: 'json' }
import CONVERSATION_EXAMPLE from '../../examples/api/session.conversation.json' with { type: 'json' }
import ENTRIES_EXAMPLE from '../../examples/api/session.entries.json' with { type: 'json' }
import MESSAGES_EXAMPLE from '../../examples/api/session.messages.json' with { type: 'json' }
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { mutateBytes } from './mutate-bytes.ts'
import { mutateValue } from './mutate-value.ts'

export interface FuzzCase {
  url: string
  headers: Record<string, string>
  body: Buffer
}

/** A real session's beginning: all kinds of entries, small enough for many cases. */
const SESSION = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .slice(0, 12)
  .map((line) => (line.length > 3000 ? '' : line))
  .filter(Boolean)
const LINES: unknown[] = SESSION.map((line) => JSON.parse(line) as unknown)

const RECALL = 'Call the tool recall.'
const SETTINGS = {
  ...{ keepRecentTokens: 10, reserveTokens: 2000, contextWindow: 5000, thresholdPercent: 50 },
  recall: RECALL,
}
/** A history of Aider: a document whose elements are not JSON. */
const TEXT = readFileSync(new URL('../fixtures/formats/aider.md', import.meta.url), 'utf8')
const SESSION_BODY = { entries: LINES, settings: SETTINGS, leafId: undefined, details: 'full', idle: true }
const SPLIT = {
  entries: [
    ...(ENTRIES_EXAMPLE.entries as unknown[]),
    { type: 'compaction', id: 'z', parentId: 'd', summary: '## Goal\nX', firstKeptEntryId: 'a' },
  ],
  settings: { keepRecentTokens: 1 },
}
const SESSION_ROUTES = ['/compaction', '/compaction/plan', '/prune', '/context', '/handoff', '/recall']

/** What each route is sent, before it is changed. */
const SEEDS: readonly [url: string, body: unknown][] = [
  ...SESSION_ROUTES.flatMap((url): [string, unknown][] => [
    [url, SESSION_BODY],
    [url, SPLIT],
    [url, MESSAGES_EXAMPLE],
    [url, { session: TEXT, settings: { keepRecentTokens: 1, recall: RECALL } }],
  ]),
  ['/recall', { ...MESSAGES_EXAMPLE, query: 'the parser', kinds: ['request', 'call'], scope: 'all', around: 1 }],
  ['/compaction', PROMPT_EXAMPLE],
  ['/compaction', { ...CONVERSATION_EXAMPLE, settings: { keepRecentTokens: 3 }, previousSummary: '## Goal\nOld.' }],
  ['/branch-summary', BRANCH_EXAMPLE],
  ['/compaction/compare', COMPARISON_EXAMPLE],
  ['/v1/chat/completions', CHAT_EXAMPLE],
  ['/v1/chat/completions', { ...CHAT_EXAMPLE, stream: true, stream_options: { include_usage: true }, max_tokens: 50 }],
]
const QUERIES = [
  '',
  '?keepRecentTokens=5',
  '?keepRecentTokens=1&recall=Call%20it',
  '?query=parser&scope=all',
  '?leafId=x&details=full',
  '?prune=%7B%7D',
  '?settings=%7B%22a%22%3A1%7D',
  '?%ff=%',
]
const NDJSON_ROUTES = [...SESSION_ROUTES, '/branch-summary', '/compaction/compare']

/** Makes a case: a request of some route, broken in its structure, in its bytes, or both. */
export function makeCase(random: Random): FuzzCase {
  return random.next() < 0.2 ? makeNdjson(random) : makeJson(random)
}

function makeJson(random: Random): FuzzCase {
  const [url, seed] = random.pick(SEEDS)
  const value = random.next() < 0.8 ? mutateValue(seed, random) : seed
  const whole = Buffer.from(toJson(value))
  const body = random.next() < 0.4 ? mutateBytes(whole, random) : whole
  return encode({ url, headers: { 'content-type': 'application/json' }, body }, random)
}

function makeNdjson(random: Random): FuzzCase {
  const lines = random.next() < 0.7 ? mutateValue(LINES, random) : LINES
  const text = (Array.isArray(lines) ? lines : [lines]).map((line) => toJson(line)).join('\n')
  const whole = Buffer.from(text)
  const body = random.next() < 0.5 ? mutateBytes(whole, random) : whole
  const url = `${random.pick(NDJSON_ROUTES)}${random.pick(QUERIES)}`
  return encode({ url, headers: { 'content-type': 'application/x-ndjson' }, body }, random)
}

/** A value that was removed altogether is no JSON: nothing. */
const toJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value))

/** Some are compressed, and some of these are no more whole. */
function encode(one: FuzzCase, random: Random): FuzzCase {
  if (random.next() < 0.95) return one
  const zipped = gzipSync(one.body)
  const body = random.next() < 0.5 ? mutateBytes(zipped, random) : zipped
  return { ...one, body, headers: { ...one.headers, 'content-encoding': 'gzip' } }
}
