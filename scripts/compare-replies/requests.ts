import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRandom, type Random } from '../../bench/support/create-random.ts'
import { NEW_SESSION_FORMATS } from '../../src/schemas/format-ids.ts'
import BRANCH_EXAMPLE from '../../examples/api/summarizeBranch.json' with { type: 'json' }
import CONVERSATION_EXAMPLE from '../../examples/api/session.conversation.json' with { type: 'json' }
import ENTRIES_EXAMPLE from '../../examples/api/session.entries.json' with { type: 'json' }
import MESSAGES_EXAMPLE from '../../examples/api/session.messages.json' with { type: 'json' }
import PROMPT_EXAMPLE from '../../examples/api/session.prompt.json' with { type: 'json' }
import { makeCase } from '../../test/fuzz/make-cases.ts'
import { mutateBytes } from '../../test/fuzz/mutate-bytes.ts'
import { mutateValue } from '../../test/fuzz/mutate-value.ts'
import { DEFAULT_URLS, REQUEST_SHAPES } from '../../test/support/request-shapes.ts'

/** A request that both services get. */
export interface ComparedRequest {
  /** What it was made from, and how it was changed. */
  name: string
  url: string
  headers: Record<string, string>
  body: Buffer | string
}

const ROOT = new URL('../../', import.meta.url)

/** The folders with sessions and with requests of clients; the samples of real ones are not in this repository. */
const SESSION_FOLDERS = ['test/fixtures/formats/', 'examples/', '../shared/sessions/', '../shared/agents/samples/']
const CHAT_FOLDERS = ['test/fixtures/chat-compactions/', '../shared/agents/samples/openai-chat/']
const ITEM_FOLDERS = ['../shared/agents/samples/openai-responses/']
const MESSAGE_FOLDERS = ['../shared/agents/samples/anthropic-messages/']

/** Larger sessions are compared by the benchmarks: here they would take most of the time. */
const MAX_CHARACTERS = 500_000

const KEEPS = ['keepRecentTokens=1', 'keepRecentTokens=50', 'keepRecentTokens=400', 'keepRecentTokens=3000', '']
const COMPACTION_OPTIONS = [
  '',
  ...['reply=native', 'reply=native', 'reply=native&include=provenance', 'native=true', 'reply=text'],
  'include=provenance',
  'details=full',
  'focus=tests&customInstructions=Name+each+file.',
  'maxSummaryTokens=600',
  'contextWindow=16000&reserveTokens=2000',
  'leafId=nowhere',
  'settings=%7B%22keepRecentTokens%22%3A%22x%22%7D',
  'idle=true&nonsense=1',
  'summary=%23%23+Goal%0AWritten+by+hand.',
  'style=continuation',
  ...NEW_SESSION_FORMATS.map((format) => `reply=${format}`),
]
const PLAN_OPTIONS = ['', 'include=prompts', 'include=entries', 'include=prompts,entries', 'contextWindow=9000']
const PRUNE_OPTIONS = ['', 'protectTokens=10', 'protectTokens=10&minSavingsTokens=1']

interface Seed {
  name: string
  text: string
}

/** Returns requests over all routes, formats and faults: the same ones for the same seed. */
export function* makeRequests(count: number, seed: number): Generator<ComparedRequest> {
  const random = createRandom(seed)
  const sessions = filesOf(SESSION_FOLDERS).filter(({ text }) => text.length <= MAX_CHARACTERS)
  const chats = filesOf(CHAT_FOLDERS)
  const items = filesOf(ITEM_FOLDERS)
  const messages = filesOf(MESSAGE_FOLDERS)
  const makers: (() => ComparedRequest)[] = [
    ...Array.from({ length: 8 }, () => () => sessionRequest(random, random.pick(sessions))),
    ...Array.from({ length: 3 }, () => () => chatRequest(random, random.pick(chats))),
    () => itemRequest(random, random.pick([...items, ...chats])),
    () => messageRequest(random, random.pick([...messages, ...chats])),
    () => compressRequest(random, random.pick([...chats, ...messages])),
    () => formRequest(random),
    () => shapeRequest(random),
    () => brokenRequest(random),
    () => ({ name: 'read', url: random.pick(READ_URLS), headers: {}, body: '' }),
  ]
  for (let index = 0; index < count; index++) yield random.pick(makers)()
}

const READ_URLS = ['/healthz', '/v1/models', '/v1/models/none', '/openapi.json', '/', '/nowhere', '/compaction']

function filesOf(folders: readonly string[]): Seed[] {
  const urls = folders.map((folder) => new URL(folder, ROOT)).filter((url) => existsSync(url))
  return urls.flatMap((url) =>
    readdirSync(url, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:jsonl?|traj)$|aider.*\.md$/.test(name))
      .sort()
      .map((name) => ({ name, text: readFileSync(new URL(name, url), 'utf8') })),
  )
}

const SESSION_URLS: readonly [url: string, options: readonly string[]][] = [
  ['/compaction', COMPACTION_OPTIONS],
  ['/compaction', COMPACTION_OPTIONS],
  ['/compaction', COMPACTION_OPTIONS],
  ['/compaction/plan', PLAN_OPTIONS],
  ['/prune', PRUNE_OPTIONS],
  ['/context', ['']],
  ['/handoff', ['', 'style=brief', 'focus=tests']],
]

function sessionRequest(random: Random, { name, text }: Seed): ComparedRequest {
  const [path, options] = random.pick(SESSION_URLS)
  const option = random.pick(options)
  // Small sessions have nothing to write back if much is kept.
  const keep = option.startsWith('reply=') ? random.pick(KEEPS.slice(0, 3)) : random.pick(KEEPS)
  const url = `${path}?${[keep, option].filter(Boolean).join('&')}`
  const changed = random.next() < 0.5 ? { how: '', body: text } : change(text, random)
  const accept = random.next() < 0.05 ? { accept: 'text/event-stream' } : {}
  return { name: `${name}${changed.how}`, url, headers: { ...CURL, ...accept }, body: changed.body }
}

/** As curl sends a file. */
const CURL = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Drops, repeats, moves or breaks a line of a file of lines; changes a value of a JSON document; or breaks bytes. */
function change(text: string, random: Random): { how: string; body: Buffer | string } {
  if (random.next() < 0.1) return { how: ', bytes', body: mutateBytes(Buffer.from(text), random) }
  if (!isDocument(text)) {
    const lines = text.split('\n')
    const at = random.integer(0, lines.length - 1)
    const [line = ''] = lines.splice(at, 1)
    const how = random.pick(['drop', 'repeat', 'move', 'value'])
    if (how === 'repeat') lines.splice(at, 0, line, line)
    if (how === 'move') lines.splice(random.integer(0, lines.length), 0, line)
    if (how === 'value') lines.splice(at, 0, mutateJson(line, random))
    return { how: `, ${how} line ${at}`, body: lines.join('\n') }
  }
  return { how: ', value', body: mutateJson(text, random) }
}

const isDocument = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function mutateJson(text: string, random: Random): string {
  try {
    return JSON.stringify(mutateValue(JSON.parse(text), random) ?? '')
  } catch {
    return text.slice(0, random.integer(0, text.length))
  }
}

const chatFields = (random: Random): object => ({
  ...(random.next() < 0.3 && { stream: true, stream_options: { include_usage: random.next() < 0.5 } }),
  ...(random.next() < 0.2 && { max_tokens: random.pick([50, 800, 4000]) }),
  ...(random.next() < 0.1 &&
    random.pick([{ n: 2 }, { tool_choice: 'required' }, { response_format: { type: 'json' } }])),
})

/** The body of a client's request, with other options and sometimes another value anywhere. */
function changedBody({ text }: Seed, random: Random, write: (body: Body) => object): string {
  const body = write(JSON.parse(text) as Body)
  return JSON.stringify((random.next() < 0.25 ? mutateValue(body, random) : body) ?? '')
}

interface Body {
  messages?: { role: string; content: unknown }[]
  input?: unknown
  system?: unknown
}

function chatRequest(random: Random, seed: Seed): ComparedRequest {
  const pipeline = random.pick([{}, {}, {}, { 'x-precis-pipeline': 'on' }, { 'x-precis-pipeline': 'off' }])
  const body = changedBody(seed, random, (one) => ({ ...one, ...chatFields(random) }))
  return { name: seed.name, url: '/v1/chat/completions', headers: { ...JSON_TYPE, ...pipeline }, body }
}

function itemRequest(random: Random, seed: Seed): ComparedRequest {
  const url = random.pick(['/v1/responses', '/v1/responses/compact'])
  const body = changedBody(seed, random, ({ messages, ...rest }) => ({
    ...rest,
    input: rest.input ?? messages,
    ...(random.next() < 0.3 && { stream: true }),
    ...(random.next() < 0.3 && { max_output_tokens: 700 }),
  }))
  return { name: seed.name, url, headers: JSON_TYPE, body }
}

function messageRequest(random: Random, seed: Seed): ComparedRequest {
  const body = changedBody(seed, random, (one) => ({
    max_tokens: 3000,
    ...one,
    ...(random.next() < 0.9 && { compaction: { type: 'summarize', instructions: 'Name each file.' } }),
    stream: random.next() < 0.2,
  }))
  return { name: seed.name, url: '/v1/messages', headers: JSON_TYPE, body }
}

function compressRequest(random: Random, seed: Seed): ComparedRequest {
  const body = changedBody(seed, random, ({ messages }) => ({
    messages,
    token_budget: random.pick([300, 1000, 3000, 100_000]),
  }))
  return { name: seed.name, url: '/v1/compress', headers: JSON_TYPE, body }
}

const FORMS: readonly [url: string, body: object][] = [
  ['/compaction', ENTRIES_EXAMPLE],
  ['/compaction', MESSAGES_EXAMPLE],
  ['/compaction', PROMPT_EXAMPLE],
  ['/compaction', CONVERSATION_EXAMPLE],
  ['/compaction', { ...CONVERSATION_EXAMPLE, previousSummary: '## Goal\nOld.\n\n## Next Steps\n1. Go on.' }],
  ['/branch-summary', BRANCH_EXAMPLE],
  ['/compaction/plan', { ...ENTRIES_EXAMPLE, include: ['prompts'] }],
  ['/handoff', { ...ENTRIES_EXAMPLE, focus: 'tests' }],
]

function formRequest(random: Random): ComparedRequest {
  const [url, body] = random.pick(FORMS)
  const changed = random.next() < 0.6 ? mutateValue(body, random) : body
  return { name: 'form', url, headers: JSON_TYPE, body: JSON.stringify(changed ?? '') }
}

/** A twentieth of the size that slow shapes need: here only the texts count. */
function shapeRequest(random: Random): ComparedRequest {
  const name = random.pick(Object.keys(REQUEST_SHAPES))
  const { urls = DEFAULT_URLS, size, body } = REQUEST_SHAPES[name] ?? { size: 1, body: () => ({}) }
  const value = body(Math.max(1, Math.round(size / 20)))
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { name, url: random.pick(urls), headers: CURL, body: text }
}

function brokenRequest(random: Random): ComparedRequest {
  return { name: 'broken', ...makeCase(random) }
}
