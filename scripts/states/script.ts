import { hasTools, type Answer, type Fields, type ModelRequest } from '../resume/fake-model.ts'
import type { Scenario, Step, Turn } from './scenario.ts'

/** What a script needs of the client that it is played with. */
export interface Stage {
  project: string
  /** Makes the next reply count as many tokens. */
  countNext: (tokens: number) => void
  /** Interrupts the client. */
  interrupt: () => void
}

/** How long a tool runs before the user interrupts it. */
const RUN_MS = 2500

/** The scripted model of a scenario: it takes the steps of a turn one after the other. */
export class Script {
  stage: Stage = { project: '', countNext: () => undefined, interrupt: () => undefined }
  #steps: Step[] = []
  #calls = 0
  readonly #summary: string

  constructor({ summary = 'No summary.' }: Scenario) {
    this.#summary = summary
  }

  begin({ steps }: Turn): void {
    this.#steps = [...steps]
  }

  /** Warns if the client has asked less than the turn has steps. */
  end({ prompt }: Turn): void {
    if (this.#steps.length > 0) console.log(`  ${prompt.slice(0, 40)}: ${this.#steps.length} steps were not asked for`)
  }

  async answer(request: ModelRequest): Promise<Answer> {
    if (process.env['STATES_DEBUG'] !== undefined) debug(request)
    if (isCompaction(request)) return { text: this.#summary }
    if (!hasTools(request)) return { text: 'Invoices' }
    const step = this.#steps.shift()
    if (step === undefined) return { text: 'There is nothing left to do.' }
    const { say: text = '', call, args = {}, tokens, isInterrupted = false } = step
    if (tokens !== undefined) this.stage.countNext(tokens)
    if (isInterrupted)
      setTimeout(() => {
        this.stage.interrupt()
      }, RUN_MS)
    if (call === undefined) return isInterrupted ? new Promise(() => undefined) : { text }
    const written = JSON.stringify(args).replaceAll('{project}', this.stage.project)
    return { text, call: { id: `call_${++this.#calls}`, name: call, args: JSON.parse(written) as Fields } }
  }
}

function debug({ path, body, texts }: ModelRequest): void {
  console.log(path, Object.keys(body).join(), texts.at(-1)?.slice(0, 300))
  if (process.env['STATES_DEBUG'] === 'tools') console.log(JSON.stringify(body['tools'], undefined, 1))
}

const COMPACTION = /CONTEXT CHECKPOINT|detailed summary of|state_snapshot|anchored summary|conversation so far/i

/** Whether a client asks for a compaction: the request for it is in the last message. */
function isCompaction({ body }: ModelRequest): boolean {
  const messages = [body['messages'] ?? body['input'] ?? body['contents']].flat()
  return COMPACTION.test(JSON.stringify(messages.slice(-1)))
}
