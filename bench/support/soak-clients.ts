import { setTimeout as wait } from 'node:timers/promises'
import { PROBLEMS } from '../../src/errors.ts'
import { createRandom, type Random } from './create-random.ts'
import { MARK } from './soak-model.ts'

/** The result of one request. */
export interface SoakReply {
  /** `summary`, the type of a problem, `lost` where the connection ended,
   * `no service there` where there was none, `wrong` where it was neither. */
  outcome: string
  startedAtMs: number
  ms: number
  /** True where the reply has another client's mark, or lacks its own. */
  isMixedUp: boolean
}

export interface SoakOptions {
  clients: number
  seed: number
  /** Where to send the next request; undefined while there is no service. */
  url: () => string | undefined
  untilMs: number
}

/**
 * Runs clients that send requests again and again, with pauses and mixed sizes: a line, a page, a long prompt, a
 * session, a session in windows.
 */
export async function runClients({ clients, seed, url, untilMs }: SoakOptions): Promise<SoakReply[]> {
  const replies: SoakReply[] = []
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const random = createRandom(seed + client)
      for (let number = 0; performance.now() < untilMs; number++) {
        await wait(random.integer(100, 1500))
        const target = url()
        if (target !== undefined) replies.push(await ask(target, `MARK-${client}-${number}`, random))
      }
    }),
  )
  return replies
}

async function ask(url: string, mark: string, random: Random): Promise<SoakReply> {
  const { path, body } = makeRequest(mark, random)
  const startedAtMs = performance.now()
  const reply = { startedAtMs, isMixedUp: false }
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    const ms = performance.now() - startedAtMs
    if (response.status !== 200) return { ...reply, outcome: problemOf(text), ms }
    const marks = new Set(text.match(MARK))
    return { ...reply, outcome: summaryOf(text), ms, isMixedUp: marks.size !== 1 || !marks.has(mark) }
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return {
      ...reply,
      outcome: code === 'ECONNREFUSED' ? 'no service there' : 'lost',
      ms: performance.now() - startedAtMs,
    }
  }
}

const FILLER = 'The importer reads a row, checks its price, and writes it to the ledger of the day. '
const filler = (characters: number): string => FILLER.repeat(Math.ceil(characters / FILLER.length)).slice(0, characters)

function makeRequest(mark: string, random: Random): { path: string; body: object } {
  const prompt = (characters: number): string =>
    `<conversation>\n[User]: ${mark} ${filler(characters)}\n\n[Assistant]: Done.\n</conversation>\n\nSummarize.`
  switch (random.integer(0, 9)) {
    case 0:
      return { path: '/compaction', body: { prompt: prompt(400_000) } }
    case 1:
      return { path: '/handoff', body: { entries: session(mark, 20_000) } }
    case 2:
    case 3:
      return { path: '/compaction', body: { entries: session(mark, 60_000), settings: { keepRecentTokens: 10 } } }
    case 4:
      return { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: prompt(3000) }] } }
    case 5:
    case 6:
      return { path: '/compaction', body: { prompt: prompt(40_000) } }
    default:
      return { path: '/compaction', body: { prompt: prompt(2000) } }
  }
}

function session(mark: string, characters: number): object[] {
  const said = [
    { role: 'user', content: `${mark}: make the importer skip rows without a price.` },
    { role: 'assistant', content: [{ type: 'text', text: filler(characters) }] },
    { role: 'user', content: `Go on with ${mark}.` },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  return said.map((message, index) => ({
    type: 'message',
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
    message,
  }))
}

/** Returns the type of a documented problem. */
function problemOf(text: string): string {
  const type = String((readJson(text) ?? {})['type'])
  const name = type.replace('urn:precis:problem:', '')
  return Object.hasOwn(PROBLEMS, name) && name !== 'internal' ? name : 'wrong'
}

function summaryOf(text: string): string {
  const reply = readJson(text)
  const summary = reply?.['summary'] ?? reply?.['document'] ?? reply?.['choices']
  return typeof summary === 'string' ? (summary.trim() === '' ? 'wrong' : 'summary') : summary ? 'summary' : 'wrong'
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
