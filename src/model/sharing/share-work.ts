import type { CallBudget } from '../summarizer.ts'
import { addTally, type Tally } from '../tally.ts'
import type { ResultStore } from './result-store.ts'
import { SharedWork } from './shared-work.ts'

/** What finished work leaves behind, with what it took. */
export interface Result<T> {
  value: T
  tally: Tally
}

export interface Work<T> {
  /** Equal keys mean equal work. */
  key: string
  /** Does it. Its budget lasts as long as that of the last one who waits. */
  run: (budget: CallBudget) => Promise<T>
}

/** Whether work had to be done: what is kept, what somebody else had begun, or neither. */
export type Sharing = 'hit' | 'joined' | 'miss'

/** Does work once for all who want the same at the same time, and hands out for a while what is finished. */
export type WorkShare<T> = (work: Work<T>, budget: CallBudget) => Promise<T>

interface ShareOptions<T> {
  store: ResultStore<Result<T>>
  onAsked?: (sharing: Sharing) => void
}

/** Why work was not begun, where that is nothing to those who had only joined it. */
export class Withdrawn extends Error {
  constructor() {
    super('Another part of the same task has failed.')
    this.name = 'Withdrawn'
  }
}

/**
 * Creates a share. Whoever waits for work has its calls and tokens added to their tally, also those of what was
 * finished before: it is what the answer took. A failure is told to all who wait, and is not kept.
 */
export function createWorkShare<T>({ store, onAsked = () => undefined }: ShareOptions<T>): WorkShare<T> {
  const underWay = new Map<string, SharedWork<T>>()

  const running = (key: string): SharedWork<T> | undefined => {
    const found = underWay.get(key)
    return found === undefined || found.hasEnded ? undefined : found
  }

  const begin = (work: Work<T>, budget: CallBudget): Promise<T> => {
    const begun = new SharedWork<T>()
    underWay.set(work.key, begun)
    const outcome = begun.begin(work.run, budget)
    const forget = (): void => {
      if (underWay.get(work.key) === begun) underWay.delete(work.key)
    }
    begun.onDone((value, tally) => {
      store.set(work.key, { value, tally })
    }, forget)
    return outcome
  }

  return async function share(work, budget) {
    budget.signal.throwIfAborted()
    // Looking it up may take a while, in which somebody else may begin.
    const kept = running(work.key) === undefined ? await store.get(work.key) : undefined
    if (kept !== undefined) {
      onAsked('hit')
      addTally(budget.tally, kept.tally)
      return kept.value
    }
    const other = running(work.key)
    onAsked(other === undefined ? 'miss' : 'joined')
    if (other === undefined) return begin(work, budget)
    try {
      return await other.waitFor(budget)
    } catch (error) {
      if (error instanceof Withdrawn) return share(work, budget)
      throw error
    }
  }
}
