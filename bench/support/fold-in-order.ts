import { escapeTranscript, framePrompt } from '../../src/prompt/frame-prompt.ts'
import { templates } from './start-service.ts'

/**
 * Summarizes parts of a transcript one after the other, as oh-my-pi does with a span that is larger than its window
 * (docs/clients.md): each call includes the previous reply, and has the whole output limit. The calls go directly to
 * the model server.
 * @param url the model server's base URL
 */
export async function foldInOrder(url: string, parts: readonly string[], maxTokens: number): Promise<void> {
  let previousSummary: string | undefined
  for (const conversation of parts) {
    const instructions = [previousSummary === undefined ? templates.summary : templates.update]
    const { before, after } = framePrompt({ previousSummary, instructions })
    const prompt = before + escapeTranscript(conversation) + after
    previousSummary = await ask(`${url}/chat/completions`, prompt, maxTokens)
  }
}

async function ask(url: string, prompt: string, maxTokens: number): Promise<string> {
  const messages = [
    { role: 'system', content: templates.system },
    { role: 'user', content: prompt },
  ]
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulated', messages, max_tokens: maxTokens }),
  })
  const reply = (await response.json()) as { choices: { message: { content: string } }[] }
  const [choice] = reply.choices
  if (choice === undefined) throw new Error('The simulated model server gave no answer.')
  return choice.message.content
}
