import type { Message } from '../session/message.ts'
import { isSmallTalk } from './small-talk.ts'
import type { WorkItem } from './work-item.ts'
import { readWorkTurns } from './work-turns.ts'

/** What the messages that stay say of the work in the messages before them. */
interface KeptWork {
  /** Whether they begin in the middle of a turn, and answer its request. */
  isAnswered: boolean
  /** Whether the user asks for something else in them. */
  hasRequest: boolean
}

/** Reads the messages that stay, oldest first: a summary of those before them must not send the agent back to what they have done. */
export function readKeptWork(kept: readonly Message[]): KeptWork {
  const turns = readWorkTurns(kept, false)
  const [first] = turns
  return {
    isAnswered: first?.request === '' && first.end === 'answered',
    hasRequest: turns.some(({ request }) => request !== '' && !isSmallTalk(request)),
  }
}

/**
 * Clients such as Codex keep messages of the user beside the summary, without the answers: of those at the beginning, only the last one
 * may be unanswered.
 */
export function passKept(requests: readonly WorkItem[], turns: readonly { at: number }[]): void {
  const end = turns.findIndex(({ at }, index) => at !== index)
  const kept = (end < 0 ? turns.length : end) - 1
  for (const item of requests)
    if (item.at < kept && item.state === 'open')
      Object.assign(item, { state: 'unknown', note: 'said before an earlier compaction', isOlder: true })
}
