import { createRandom } from './create-random.ts'
import { chain, type SessionEntry } from './session-entry.ts'
import { writeLog } from './write-text.ts'

/** Texts of this length are sent to a model in full. */
const RESULT_CHARACTERS = 790
const ANSWER_CHARACTERS = 2300
const STEPS_PER_TURN = 12

/**
 * Generates a session whose transcript has about the given number of characters: no text is so long that it is
 * shortened, and none occurs twice. It ends with a request of the user, before which it can be cut.
 */
export function generateLongSpan(characters: number, seed: number): SessionEntry[] {
  const random = createRandom(seed)
  const entries: Omit<SessionEntry, 'parentId'>[] = []
  const add = (message: NonNullable<SessionEntry['message']>): void => {
    entries.push({ type: 'message', id: `s${entries.length}`, message })
  }
  for (let step = 0, written = 0; written < characters; step++) {
    if (step % STEPS_PER_TURN === 0) add({ role: 'user', content: `Please look at the log of machine ${step} next.` })
    const command = `tail -n 30 machine-${step}.log`
    const text = `Step ${step}: I read on.\n${writeLog(random, ANSWER_CHARACTERS)}`
    const call = { type: 'toolCall', id: `call_${step}`, name: 'bash', arguments: { command } }
    add({ role: 'assistant', content: [{ type: 'text', text }, call] })
    const output = writeLog(random, RESULT_CHARACTERS)
    add({ role: 'toolResult', toolCallId: call.id, content: [{ type: 'text', text: output }], isError: false })
    written += text.length + output.length + LABEL_CHARACTERS
  }
  add({ role: 'user', content: 'Good. Now write down what you found.' })
  return chain(entries)
}

/** The approximate characters that labels and the call add to each step of a transcript. */
const LABEL_CHARACTERS = 106
