import { beginning, REQUEST_CHARACTERS } from '../../extract/shorten.ts'
import { textOf, type Message } from '../../session/message.ts'

const ENDS_AS_QUESTION = /[?？؟][\s*_)"'”」]*$/

/**
 * Finds the question that nobody has answered: the agent's last text ends as one, and no message of the user follows. It
 * is told word for word, by its last paragraph, up to 500 characters from its beginning.
 */
export function findOpenQuestion(messages: readonly Message[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role === 'user') return undefined
    const text = message?.role === 'assistant' ? textOf(message.content).trim() : ''
    if (text !== '') return ENDS_AS_QUESTION.test(text) ? questionOf(text) : undefined
  }
  return undefined
}

function questionOf(text: string): string {
  const paragraph =
    text
      .split(/\n\s*\n/)
      .at(-1)
      ?.trim() ?? text
  if (paragraph.length <= REQUEST_CHARACTERS) return paragraph
  const sentence = /[^.!?。！？\n]*[?？؟][\s*_)"'”」]*$/.exec(paragraph.slice(-REQUEST_CHARACTERS))?.[0] ?? paragraph
  return beginning(sentence, REQUEST_CHARACTERS)
}
