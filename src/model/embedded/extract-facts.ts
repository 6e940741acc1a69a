import { ConversationReader } from './conversation-reader.ts'
import { collectCourse } from '../../extract/collect-course.ts'
import { readDemands } from '../../extract/demands.ts'
import { findWaiting } from '../../extract/turn-end.ts'
import type { SessionWork } from '../../extract/work-item.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import { type PairedMessages } from '../../extract/runs.ts'
import type { FileFact, SessionFacts } from './facts.ts'
import type { Focus } from './focus.ts'

interface Known {
  /** The requests, tasks and steps of the conversation. */
  work: SessionWork
  /** What happened in the conversation, and when. */
  news: WorkNews
  /** The files that an earlier summary describes. */
  files?: readonly FileFact[] | undefined
  /** What an earlier summary says that waits for somebody, in the user's words. */
  waiting?: readonly string[] | undefined
  /** What the user wants the summary to pay attention to. */
  focus?: Focus | undefined
}

/** Extracts the facts that an agent needs from a conversation, in one pass. */
export function extractFacts(paired: PairedMessages, { work, news, files = [], focus, waiting }: Known): SessionFacts {
  const { messages, runs } = paired
  const reader = new ConversationReader({ runs, files, focus, work })
  for (const [at, message] of messages.entries()) reader.read(message, at)
  const { standing, newestBans, said } = readDemands(messages)
  return {
    ...reader.facts(work, news),
    focus,
    constraints: [...standing, ...newestBans],
    said,
    course: collectCourse(paired),
    waiting: findWaiting(messages, waiting),
  }
}
