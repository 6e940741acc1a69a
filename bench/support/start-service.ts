import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/settings.ts'
import type { Environment } from '../../src/environment.ts'
import { createSummarizer } from '../../src/model/create-summarizer.ts'
import { loadTemplates } from '../../src/prompt/templates.ts'

/** The service's answer: a reply, or the problem of a refusal, such as "413 Prompt too large". */
export type Answer = { ok: true; body: Record<string, unknown> } | { ok: false; problem: string }

export interface Service {
  /** Posts a JSON body over a real socket, as a client does. */
  post: (path: string, body: unknown) => Promise<Answer>
  close: () => Promise<void>
}

export const templates = loadTemplates(new URL('../../prompts/', import.meta.url))

/**
 * Starts the service on a free port of 127.0.0.1, with the same parts as in production.
 * @param environment its variables; those of the benchmark are not used
 */
export async function startService(environment: Environment): Promise<Service> {
  const settings = readSettings({ LOG_LEVEL: 'silent', ...environment })
  const summarizer = await createSummarizer(settings, templates)
  const app = await buildApp({ settings, summarizer, prompts: { templates } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { post: (path, body) => post(`${url}${path}`, body), close: () => app.close() }
}

async function post(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const reply = (await response.json()) as Record<string, unknown>
  if (response.ok) return { ok: true, body: reply }
  return { ok: false, problem: `${response.status} ${String(reply.title)}: ${String(reply.detail)}` }
}
