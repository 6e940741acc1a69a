/** Follows the events of a rollout that say where turns begin and end: what the model says before its turn has ended is a remark. */
export class TurnEnds {
  #isInTurn = false
  /** Whether the rollout says where turns end; left out until the first one has ended. */
  #saysEnds: boolean | undefined

  /** Reads the type of an event. @returns whether a turn has ended with an answer: the next one ends it where nothing else does */
  read(type: unknown): boolean {
    const wasInTurn = this.#isInTurn
    if (type === 'task_started') {
      if (wasInTurn) this.#saysEnds ??= false
      this.#isInTurn = true
      return wasInTurn && this.#saysEnds === false
    }
    if (type === 'task_complete') this.#saysEnds = true
    if (type === 'task_complete' || type === 'turn_aborted') this.#isInTurn = false
    return type === 'task_complete'
  }

  /** Whether what an item of the model says is no answer yet. */
  isRemark({ role, phase }: Readonly<Record<string, unknown>>): boolean {
    return role === 'assistant' && (typeof phase === 'string' ? phase === 'commentary' : this.#isInTurn)
  }

  /** Whether the last turn may have ended without an event. */
  get areUnmarked(): boolean {
    return this.#isInTurn && this.#saysEnds === false
  }
}
