import type { Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { findNextSteps } from './statements.ts'
import { spokenText } from './user-text.ts'
import { openItem, type WorkItem } from './work-item.ts'

/** Steps that an earlier summary or an agent names. */

export interface EarlierStep {
  text: string
  /** The line above the list of the user that it was an item of. */
  lead?: string
  /** What is said of its words, where they are quoted. */
  note?: string
  /** All that the summary says of it, if that is more. */
  whole?: string
  /** Whether it is a request that goes on, and not a plan. */
  isRequest?: boolean
  /** Whether it was not confirmed then already. */
  isOlder: boolean
  /** Whether the summary says that it is done. */
  isDone?: boolean
  /** Whether it is a part of the newest request of the summary. */
  isPart?: boolean
}

const MAX_STEPS = 60

/** Returns the steps of an earlier summary, and those of the newest text of the agent that lists some. */
export function readSteps(messages: readonly Message[], earlier: readonly EarlierStep[]): WorkItem[] {
  const items = earlier.slice(-MAX_STEPS).map(earlierItem)
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    const steps = message?.role === 'assistant' ? findNextSteps(spokenText(message)) : []
    if (steps.length > 0) return [...items, ...steps.slice(-MAX_STEPS).map((step) => openItem('step', step, at))]
  }
  return items
}

const earlierItem = ({ text, lead, note, isOlder, isDone, isRequest, isPart }: EarlierStep): WorkItem => ({
  ...openItem('step', text, -1),
  ...defined({ lead, note }),
  isOlder,
  ...(isDone === true ? { state: 'said' } : {}),
  ...(isRequest === true ? { isRequest } : {}),
  ...(isPart === true ? { isPart } : {}),
})
