import type { FastifyInstance } from 'fastify'
import type { CompressReply } from '../../src/schemas/compress.ts'
import { textOfTokens } from './text-of-tokens.ts'

export interface GatewayMessage {
  role: string
  content: unknown
  [field: string]: unknown
}

/** A turn of an agent: what the user asks, a call of a tool, its result, and the answer. */
export function turnOf(turn: number, tokens = 200): GatewayMessage[] {
  const id = `call_${turn}`
  const call = { id, type: 'function', function: { name: 'read', arguments: `{"path":"src/file${turn}.ts"}` } }
  return [
    { role: 'user', content: `Fix file number ${turn}.` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: textOfTokens(tokens) },
    { role: 'assistant', content: `File number ${turn} is fixed.` },
  ]
}

export const SYSTEM: GatewayMessage = { role: 'system', content: 'You are an agent.' }

/** Some turns of one conversation. */
export const conversation = (turns: number, tokens?: number): GatewayMessage[] => [
  SYSTEM,
  ...Array.from({ length: turns }, (_, turn) => turnOf(turn, tokens)).flat(),
]

/** Sends messages as a gateway does. */
export async function compress(
  app: FastifyInstance,
  body: { messages: readonly unknown[]; token_budget?: number; config?: object },
  headers: Record<string, string> = {},
) {
  const response = await app.inject({ method: 'POST', url: '/v1/compress', payload: body, headers })
  return { status: response.statusCode, body: response.json<CompressReply & Record<string, unknown>>() }
}

/** Returns the text of the summary in returned messages; undefined if they have none. */
export function summaryIn(messages: readonly unknown[]): string | undefined {
  const texts = messages.map((message) => (message as GatewayMessage).content)
  return texts.find((text): text is string => typeof text === 'string' && text.startsWith('Summary of the earlier'))
}
