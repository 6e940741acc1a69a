import type { CallFacts } from '../model/summarizer.ts'
import { counted } from '../text/numbers.ts'
import type { RequestFacts } from './request-facts.ts'

/** The calls of models for one request: for its log line, and for the error at its deadline. */
export class CallNotes {
  readonly #facts: RequestFacts
  #begun = 0
  /** The models of the calls that have not ended: those of a request that ends now are aborted. */
  readonly #running: string[] = []
  /** The models of the calls that were not answered in time. */
  readonly #stalled: string[] = []
  /** The models that failed, and how, since a call succeeded. */
  readonly #models = new Set<string>()
  readonly #outcomes = new Set<string>()

  /** @param facts those of the log line */
  constructor(facts: RequestFacts) {
    this.#facts = facts
  }

  note({ model, outcome, status, finishReason, learnedWindowTokens, isJoined = false }: CallFacts): void {
    const facts = this.#facts
    if (learnedWindowTokens !== undefined) {
      // This call has ended before.
      facts['learnedWindow'] = learnedWindowTokens
      return
    }
    if (outcome === 'begun') {
      this.#begun += 1
      this.#running.push(model)
      if (!isJoined) facts['calls'] = Number(facts['calls'] ?? 0) + 1
    } else this.#noteEnd(model, outcome, status)
    if (finishReason !== undefined) facts['finishReason'] = finishReason
    this.#writeOutcome()
  }

  #noteEnd(model: string, outcome: string, status: number | undefined): void {
    const at = this.#running.indexOf(model)
    // One that had begun before this request joined it is not among them.
    if (at >= 0) this.#running.splice(at, 1)
    delete this.#facts['upstreamStatus']
    if (status !== undefined) this.#facts['upstreamStatus'] = status
    if (outcome === 'stalled') this.#stalled.push(model)
    if (outcome === 'ok') {
      this.#models.clear()
      this.#outcomes.clear()
    } else {
      this.#models.add(model)
      this.#outcomes.add(outcome)
    }
  }

  #writeOutcome(): void {
    const outcomes = [...this.#outcomes, ...(this.#running.length > 0 ? ['aborted'] : [])]
    delete this.#facts['outcome']
    if (outcomes.length === 0) return
    const model = [...new Set([...this.#models, ...this.#running])].join(',')
    Object.assign(this.#facts, { model, outcome: outcomes.join(',') })
  }

  /** Returns which models have not answered in time, as the end of an error; '' if there are none. */
  describeUnanswered(): string {
    const models = [...this.#stalled, ...this.#running]
    if (models.length === 0) return ''
    const names = [...new Set(models)].join(', ')
    return ` ${names}: the model server did not answer in time (${models.length} of ${counted(this.#begun, 'call')}).`
  }
}
