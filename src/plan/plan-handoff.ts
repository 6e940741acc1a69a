import type { Entry, FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { collectFiles } from '../files/collect-files.ts'
import { findFileLists, findRegion } from './region.ts'

/** The material of a handoff, as data. */
interface HandoffPlan {
  messages: Message[]
  /** Without the file tags. */
  previousSummary?: string
  files: FileLists
}

/** Plans a handoff: all messages that `/context` returns, and all their files (docs/contract.md, `/handoff`). */
export function planHandoff(branch: readonly Entry[]): HandoffPlan {
  const region = findRegion(branch)
  const messages = branch.slice(region.start).flatMap(({ message }) => message ?? [])
  const summary = region.previous?.summary
  return {
    messages,
    ...(summary === undefined ? {} : { previousSummary: summary }),
    files: collectFiles({ messages, lists: findFileLists(region, branch.length) }),
  }
}
