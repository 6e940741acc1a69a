import type { Test } from 'tap'
import { readSettings, type Settings } from '../../src/settings.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { listenApp } from './start-app.ts'
import { templates } from './templates.ts'

/** The routes that take a session. */
export const SESSION_ROUTES = ['/compaction', '/compaction/plan', '/prune', '/context', '/handoff']

/** The service as it runs without a model. */
export const startEmbedded = async (t: Test, settings: Partial<Settings> = {}) =>
  listenApp(t, { summarizer: await createSummarizer(readSettings({}), templates), settings })

interface Sent {
  status: number
  type: string
}

export async function sendBody(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body as string,
  })
  const reply = (await response.json()) as { type?: string }
  return { status: response.status, type: reply.type?.split(':').at(-1) ?? '' }
}

/** The body of a session that begins with a request, and goes on with messages that are JSON already. */
export const entriesBody = (messages: string): string =>
  `{"entries":[{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Go."}},${messages}]}`
