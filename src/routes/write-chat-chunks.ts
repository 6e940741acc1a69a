import type { ChatCompletionReply } from '../schemas/chat-completion.ts'

/** Pieces of a text, about as long as a line; `u`: no pair of surrogates is cut. */
const PIECES = /[^]{1,120}/gu

/**
 * Writes a finished completion as the events of a stream (OpenAI API reference, "The chat completion chunk object"): the
 * role, the text in pieces, the reason for the end, the usage where it was asked for, `[DONE]`.
 */
export function writeChatChunks(
  { id, created, model, choices, usage }: ChatCompletionReply,
  { includeUsage }: { includeUsage: boolean },
): string {
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, finish_reason: 'stop' | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(includeUsage ? { usage: null } : {}),
  })
  const text = choices[0]?.message.content ?? ''
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...Array.from(text.matchAll(PIECES), ([content]) => chunk({ content })),
    chunk({}, 'stop'),
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ]
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
